# The tag of C++ exceptions in WebAssembly: what is thrown is an address.
.tagtype __cpp_exception i32
.globl __cpp_exception
__cpp_exception:
