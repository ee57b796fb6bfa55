"""`python -m gdvar`: the command that is in the package."""

from gdvar._command import main

main()
