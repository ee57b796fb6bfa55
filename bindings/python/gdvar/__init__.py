"""Godot's Variant wire format, complete, outside the engine.

>>> import gdvar
>>> packet = gdvar.dumps({"name": "Ada", "pos": gdvar.Vector3(1, 2, 3)})
>>> gdvar.loads(packet)
{'name': 'Ada', 'pos': Vector3(x=1.0, y=2.0, z=3.0)}
"""

from gdvar._gdvar import *  # noqa: F403
from gdvar._gdvar import __version__ as __version__
from gdvar.errors import *  # noqa: F403
from gdvar.files import *  # noqa: F403
from gdvar.godot import *  # noqa: F403
from gdvar.packets import *  # noqa: F403
from gdvar.saves import *  # noqa: F403
from gdvar.typed import *  # noqa: F403
from gdvar.values import *  # noqa: F403
