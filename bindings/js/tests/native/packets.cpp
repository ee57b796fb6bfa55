// Answers on packets and texts.
#include "lines.hpp"

namespace verdicts {
namespace {

std::string path_of(std::string_view packet, const gdvar_options& options,
                    const gdvar_error& error) {
    Buffer path;
    gdvar_error_path(bytes_of(packet), &options, &error, path.get());
    return path.take();
}

/// Reads the packet; says the error.
Handle<gdvar_document> read(std::string_view packet, const gdvar_options& options, Lines& out) {
    Handle<gdvar_document> document(gdvar_document_new());
    gdvar_error error{};
    if (gdvar_document_read(document.get(), bytes_of(packet), &options, &error) == 0)
        return document;
    out.error(error, path_of(packet, options, error));
    return nullptr;
}

/// The verdict; of a sound packet also its size.
bool say_verdict(std::string_view packet, const gdvar_options& options, Lines& out) {
    std::size_t size = 0;
    gdvar_error error{};
    if (gdvar_validate(bytes_of(packet), &options, &size, &error) != 0) {
        out.error(error, path_of(packet, options, error));
        return false;
    }
    out.say("ok", size);
    return true;
}

/// All forms, and what the lossless text is as a packet.
void say_texts(std::string_view packet, const gdvar_options& options, Lines& out) {
    const auto document = read(packet, options, out);
    if (!document)
        return;
    gdvar_error error{};
    Buffer text;
    for (int form = GDVAR_TEXT; form <= GDVAR_TEXT_4_0; ++form) {
        Lines losses;
        if (gdvar_print(document.get(), 0, form, 0, text.get(), say_loss, &losses, &error) != 0) {
            out.error(error);
            continue;
        }
        out.say_all(losses);
        out.say(text.take());
    }
    Buffer again;
    if (gdvar_print(document.get(), 0, GDVAR_TEXT_FULL, 0, text.get(), nullptr, nullptr, &error) !=
        0)
        return;
    if (gdvar_parse(text_of(text.take()), GDVAR_TEXT_FULL, &options, again.get(), &error) != 0)
        out.error(error);
    else
        out.say(digest(again.take()));
}

void say_rows(std::string_view packet, const gdvar_options& options, Lines& out) {
    std::size_t size = 0;
    gdvar_error error{};
    const auto each = [](void* user, const gdvar_row* row) {
        static_cast<Lines*>(user)->say(row->offset, row->size, row->path, row->type, row->value,
                                       row->note);
    };
    if (gdvar_annotate(bytes_of(packet), &options, each, &out, &size, &error) != 0)
        out.error(error, path_of(packet, options, error));
    else
        out.say("ok", size);
}

void say_quirks(std::string_view packet, const gdvar_options& options, Lines& out) {
    std::uint64_t count = 0;
    gdvar_error error{};
    const auto each = [](void* user, const gdvar_quirk* quirk) {
        static_cast<Lines*>(user)->say(quirk->name, quirk->path, quirk->offset);
    };
    Lines quirks;
    if (gdvar_check(bytes_of(packet), &options, 100, each, &quirks, &count, &error) != 0)
        return out.error(error, path_of(packet, options, error));
    out.say_all(quirks);
    out.say("quirks", count);
}

void say_guess(std::string_view packet, Lines& out) {
    const gdvar_bytes bytes = bytes_of(packet);
    int ambiguous = 0;
    const auto each = [](void* user, const gdvar_candidate* candidate) {
        static_cast<Lines*>(user)->say(gdvar_dialect_name(candidate->dialect), candidate->fits,
                                       candidate->score, candidate->oddities, candidate->reason);
    };
    const gdvar_dialect* dialect = gdvar_guess(&bytes, 1, each, &out, &ambiguous);
    out.say("guess", dialect ? view(gdvar_dialect_name(dialect)) : "-", ambiguous);
}

/// The first values of the tape: what they are, where, and their bytes.
void say_nodes(std::string_view packet, const gdvar_options& options, Lines& out) {
    const auto document = read(packet, options, out);
    if (!document)
        return;
    const gdvar_tape tape = gdvar_document_tape(document.get());
    for (std::uint32_t node = 0, said = 0; node < tape.count && said < 60; ++said) {
        const gdvar_node& at = tape.nodes[node];
        gdvar_error place{};
        place.code = 1;
        place.offset = at.offset;
        const bool is_property = (at.flags & GDVAR_PROPERTY) != 0;
        const gdvar_bytes bytes = gdvar_node_bytes(document.get(), node);
        out.say("node", node, view(gdvar_describe_type(at.type).name), at.offset,
                path_of(packet, options, place), is_property ? "" : digest(view(bytes)));
        node = (at.flags & GDVAR_COPIED) != 0 ? at.as.span.end : node + 1;
    }
}

void say_conversion(const Case& asked, Lines& out) {
    const gdvar_options from = options_of(asked.at(1)), to = options_of(asked.at(3));
    gdvar_error error{};
    Buffer packet;
    Lines losses;
    if (gdvar_convert(bytes_of(asked.at(2)), &from, &to, packet.get(), say_loss, &losses, &error) !=
        0)
        return out.error(error, path_of(asked.at(2), from, error));
    out.say_all(losses);
    out.say(digest(packet.take()));
}

void say_parsed(const Case& asked, Lines& out) {
    const gdvar_options options = options_of(asked.at(1));
    gdvar_error error{};
    Buffer packet, path;
    if (gdvar_parse_with_path(text_of(asked.at(3)), static_cast<int>(number(asked.at(2))), &options,
                              packet.get(), &error, path.get()) == 0)
        return out.say(digest(packet.take()));
    const std::string where = path.take();
    out.error(error, where.empty() ? "-" : where);
}

void say_matches(const Case& asked, Lines& out) {
    const gdvar_options options = options_of(asked.at(1));
    const auto document = read(asked.at(2), options, out);
    if (!document)
        return;
    const auto each = [](void* user, const gdvar_match* match) {
        static_cast<Lines*>(user)->say("match", match->path, digest(view(match->packet)));
        return 1;
    };
    gdvar_error error{};
    const gdvar_text path = text_of(asked.at(3));
    if (gdvar_lookup(document.get(), path, each, &out, nullptr, &error) == 0)
        return;
    out.error(error);
    gdvar_explain_path(document.get(), path, say_refusal, &out);
}

/// "set" and "erase".
void say_changed(const Case& asked, Lines& out) {
    const gdvar_options options = options_of(asked.at(1));
    const gdvar_bytes packet = bytes_of(asked.at(2));
    const gdvar_text path = text_of(asked.at(3));
    gdvar_error error{};
    Buffer to;
    const bool sets = asked.at(0) == "set";
    const std::uint16_t code =
        sets ? gdvar_set(packet, path, bytes_of(asked.at(4)), &options, to.get(), &error)
             : gdvar_erase(packet, path, &options, to.get(), &error);
    if (code != 0)
        out.error(error);
    else
        out.say(digest(to.take()));
}

void say_patched(std::string_view packet, std::string_view changes, const gdvar_options& options,
                 Lines& out) {
    gdvar_error error{};
    Buffer to, path;
    if (gdvar_patch(bytes_of(packet), bytes_of(changes), &options, to.get(), &error) == 0)
        return out.say(digest(to.take()));
    gdvar_change_path(bytes_of(changes), error.change, path.get(), nullptr);
    const std::string where = path.take();
    out.error(error, where.empty() ? "-" : where);
}

void say_difference(const Case& asked, Lines& out) {
    const gdvar_options options = options_of(asked.at(1));
    const auto from = read(asked.at(2), options, out);
    const auto to = from ? read(asked.at(3), options, out) : nullptr;
    if (!to)
        return;
    gdvar_error error{};
    Buffer patch;
    if (gdvar_diff(from.get(), to.get(), patch.get(), &error) != 0)
        return out.error(error);
    const std::string changes = patch.take();
    out.say(digest(changes));
    say_patched(asked.at(2), changes, options, out);
}

/// The packets that a stream in pieces is cut into.
void say_frames(const Case& asked, Lines& out) {
    const auto words = split(asked.at(1), ' ');
    const Handle<gdvar_framer> framer(
        gdvar_framer_new(words.at(0) == "1" ? 1 : 0, number(words.at(1))));
    const std::size_t piece = number(words.at(2));
    gdvar_error error{};
    for (std::size_t at = 0; at < asked.at(2).size(); at += piece) {
        if (gdvar_framer_feed(framer.get(), bytes_of(asked.at(2).substr(at, piece)), &error) != 0)
            return out.error(error);
        for (int there = 1; there != 0;) {
            gdvar_bytes packet{};
            if (gdvar_framer_next(framer.get(), &packet, &there, &error) != 0)
                return out.error(error);
            if (there != 0)
                out.say("packet", digest(view(packet)));
        }
        out.say("need", gdvar_framer_need(framer.get()));
    }
    if (gdvar_framer_finish(framer.get(), &error) != 0)
        out.error(error);
}

/// "packet": the letters of the last field say what is asked.
void say_one(const Case& asked, Lines& out) {
    const gdvar_options options = options_of(asked.at(1));
    const std::string_view packet = asked.at(2);
    const bool sound = say_verdict(packet, options, out);
    for (const char part : asked.at(3)) {
        if (part == 't' && sound)
            say_texts(packet, options, out);
        if (part == 'n' && sound)
            say_nodes(packet, options, out);
        if (part == 'a')
            say_rows(packet, options, out);
        if (part == 'c')
            say_quirks(packet, options, out);
        if (part == 'g')
            say_guess(packet, out);
    }
}

}  // namespace

void say_packet(const Case& asked, Lines& out) {
    const std::string_view what = asked.at(0);
    if (what == "packet")
        say_one(asked, out);
    else if (what == "convert")
        say_conversion(asked, out);
    else if (what == "parse")
        say_parsed(asked, out);
    else if (what == "lookup")
        say_matches(asked, out);
    else if (what == "set" || what == "erase")
        say_changed(asked, out);
    else if (what == "diff")
        say_difference(asked, out);
    else if (what == "patch")
        say_patched(asked.at(2), asked.at(3), options_of(asked.at(1)), out);
    else if (what == "frames")
        say_frames(asked, out);
    else
        say_save(asked, out);
}

}  // namespace verdicts
