// Written by tools/describe/interface.py --update, out of gdvar.h.
#pragma once
// clang-format off

#include "gdvar/gdvar.h"

namespace gdvar_py {

template <class Texts> void keep_texts(gdvar_text& of, Texts& to) { to.keep({&of}); }
template <class Texts> void keep_texts(gdvar_refusal& of, Texts& to) { to.keep({&of.at, &of.what}); }
template <class Texts> void keep_texts(gdvar_loss& of, Texts& to) { to.keep({&of.path, &of.what, &of.substitution}); }
template <class Texts> void keep_texts(gdvar_row& of, Texts& to) { to.keep({&of.path, &of.type, &of.value, &of.note}); }
template <class Texts> void keep_texts(gdvar_quirk& of, Texts& to) { to.keep({&of.name, &of.path}); }
template <class Texts> void keep_texts(gdvar_candidate& of, Texts& to) { to.keep({&of.reason}); }
template <class Texts> void keep_texts(gdvar_reading& of, Texts& to) { to.keep({&of.name, &of.reason}); }
template <class Texts> void keep_texts(gdvar_finding& of, Texts& to) { to.keep({&of.name, &of.reason, &of.at, &of.opened_with}); of.others = to.keep(of.others, of.other_count); of.ruled_out = to.keep(of.ruled_out, of.ruled_out_count); }
template <class Texts> void keep_texts(gdvar_code& of, Texts& to) { to.keep({&of.kind, &of.path, &of.what}); }
template <class Texts> void keep_texts(gdvar_entry& of, Texts& to) { to.keep({&of.name}); of.notes = to.keep(of.notes, of.note_count); }
template <class Texts> void keep_texts(gdvar_stale_sum& of, Texts& to) { to.keep({&of.path, &of.of, &of.was, &of.now, &of.text}); }

}  // namespace gdvar_py
