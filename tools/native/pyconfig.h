/* The answers that the limited API of CPython needs of a system, for all targets of tools/native.
   CPython's own file of this name is made for one system. */
#pragma once

#define SIZEOF_INT __SIZEOF_INT__
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_LONG_LONG __SIZEOF_LONG_LONG__
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define SIZEOF_VOID_P __SIZEOF_POINTER__
#define SIZEOF_WCHAR_T __SIZEOF_WCHAR_T__
#define HAVE_STDDEF_H 1
#define HAVE_WCHAR_H 1

#ifdef _WIN32
#define MS_WINDOWS 1
#define MS_WIN64 1
/* Variables such as PyExc_ValueError come from a DLL. */
#define Py_ENABLE_SHARED 1
#define HAVE_DECLSPEC_DLL 1
#endif
