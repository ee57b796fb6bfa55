#include "file/sections/conversion_losses.hpp"

#include <utility>

#include "file/sections/value_walk.hpp"
#include "text/godot_2.hpp"
#include "value/variant_view.hpp"

namespace gdvar::detail {

void ConversionNotes::lose(const std::string& path, Type type, std::string what,
                           std::string becomes) const {
    if (report)
        report->losses.add(what + "; it " + becomes,
                           [&] { return inspect::shortened_path(path, Losses::most_path); });
    else
        losses.push_back({inspect::shortened_path(path, inspect::Loss::most_path), type,
                          std::move(what), std::move(becomes)});
}

void ConversionNotes::rename(const std::string& path, std::string_view from,
                             std::string_view to) const {
    inspect::Rename made{inspect::shortened_path(path, inspect::Loss::most_path), std::string(from),
                         std::string(to)};
    if (!report)
        renames.push_back(std::move(made));
    else if (report->renamed)
        report->renamed(made);
}

void lose_rids(Variant& value, const ConversionNotes& notes) {
    ValueWalk walk(value);
    while (Variant* at = walk.next()) {
        if (!at->is(Type::rid))
            continue;
        notes.lose(walk.path(), Type::rid, "RID, which has no text in Godot 3", "becomes null");
        *at = Variant();
    }
}

void lose_events(Variant& value, const ConversionNotes& notes) {
    ValueWalk walk(value);
    while (Variant* at = walk.next()) {
        std::string text;
        if (!at->is(Type::object) || !append_event(text, Held(*at)))
            continue;
        notes.lose(walk.path(), Type::object, text + ", which only Godot 2 reads", "becomes null");
        *at = Variant();
    }
}

void lose_references(Variant& value, const ConversionNotes& notes, bool to_null) {
    ValueWalk walk(value);
    while (Variant* at = walk.next()) {
        const Object* object = at->get_if<Object>();
        const std::string_view what = object ? object->class_name() : std::string_view();
        const Variant* id = what == "Resource"                               ? object->find("path")
                            : what == "ExtResource" || what == "SubResource" ? object->find("id")
                                                                             : nullptr;
        if (!id)
            continue;
        const bool number = id->is(Type::integer);
        notes.lose(walk.path(), Type::object,
                   std::string(what) + (number ? " by number, which no ConfigFile can load"
                                               : ", which is the resource at that path"),
                   to_null  ? "becomes null"
                   : number ? "ends the reading: engines refuse the file from there on"
                            : "needs the resource there: else engines refuse the file from there "
                              "on");
        if (to_null)
            *at = Variant();
    }
}

}  // namespace gdvar::detail
