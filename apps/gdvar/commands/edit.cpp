#include <algorithm>
#include <cerrno>
#include <span>

#include "base/ascii.hpp"
#include "base/platform/terminal.hpp"
#include "command.hpp"
#include "edit/edited_save.hpp"
#include "edit/editing.hpp"
#include "edit/editor.hpp"
#include "gdvar/base/quote.hpp"

namespace gdvar::app::commands::edit {
namespace {

struct Options : EditOptions {
    std::string path, resume;
    bool full = false, json = false, plain = false, yes = false;
};

void declare(Arguments& arguments, Options& options) {
    add_reading(arguments, options, options).required();
    add_dialect(arguments, options.dialect);
    arguments.option("PATH", options.path,
                     "edit only the value there: '#2', '$.players[3]'; without it all. The text is "
                     "a file in $XDG_RUNTIME_DIR, $TMPDIR or /tmp that only you can read, not "
                     "encrypted, until the command ends");
    auto full = arguments.flag("--full", options.full, "as text in gdvar's own form");
    auto json = arguments.flag("--json", options.json, "as typed JSON");
    auto plain = arguments.flag("--plain", options.plain, "as plain JSON");
    full.excludes(json);
    plain.excludes(full);
    plain.excludes(json);
    arguments.option(
        "--resume", options.resume,
        "take up this text again, which an earlier edit of FILE has left (a message named "
        "it); refused if FILE has changed since");
    arguments.flag("-y,--yes", options.yes, "write without asking");
    add_kept_packets(arguments, options);
}

EditForm form_of(const Options& options) {
    return {.kind = options.full    ? EditForm::full
                    : options.json  ? EditForm::json
                    : options.plain ? EditForm::plain
                                    : EditForm::text};
}

/// Quotes a path as one word of a shell.
std::string for_shell(const std::string& path) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,:@%";
    if (path.find_first_not_of(plain) == path.npos)
        return path;
    std::string out = "'";
    for (const char c : path)
        out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
}

/// Opens the text in the editor until it is valid and confirmed.
class Conversation {
public:
    /// `encrypted`: the save is, the text is not.
    Conversation(const Options& options, platform::HeldSignals& signals, EditedSave& save,
                 EditedFile& file, bool encrypted)
        : options_(options),
          signals_(signals),
          save_(save),
          file_(file),
          text_(save.text()),
          encrypted_(encrypted) {}

    /// Returns an exit code. `write`: there are changes to write.
    int run(const std::string& editor, bool& write) {
        for (;;) {
            if (const int exit = edit(editor); exit != fine)
                return exit;
            const auto text = file_.read(save_.most_text());
            if (!text) {
                say(text.error());
                return kept(io_error);
            }
            if (*text == text_)
                return nothing("the text is as it was");
            if (gdvar::detail::all_space(*text))
                return nothing("the text is empty");
            const auto problem = save_.take(*text, file_.name());
            if (!problem.empty()) {
                for (const std::string& line : problem)
                    say(line);
                if (const int exit = again(); exit != fine)
                    return exit;
                continue;
            }
            if (!save_.changed())
                return nothing("no value differs");
            if (options_.lock && changed_meanwhile())
                return kept(io_error, false);
            for (const std::string& line : save_.changes(options_.verbose))
                say(line);
            char answer = 'y';
            if (!options_.yes) {
                answer = ask(signals_,
                             "write this? y = yes, n = no, e = edit again:", {"yes", "no", "edit"},
                             signal_);
                if (!answer)
                    return kept(refused);
            }
            if (answer == 'e')
                continue;
            write = answer == 'y';
            if (!write)
                say(save_.name() + ": nothing was written");
            return fine;
        }
    }
    /// Keeps the text and names its file. `again`: a later command can resume it.
    int kept(int exit, bool again = true) {
        say("gdvar: nothing was written; " + file_.keep());
        if (again && file_.is_kept())
            say("gdvar: note: the same command with --resume " + for_shell(file_.path()) +
                " goes on with the text that was kept");
        if (encrypted_ && file_.is_kept())
            say("gdvar: note: it is the decrypted save; remove it when you have it");
        if (signal_)
            platform::end_by(signal_);
        return exit;
    }

private:
    int edit(const std::string& editor) {
        const auto ended = signals_.run(editor, file_.path(), secret_variables);
        if (!ended) {
            say(editor + ": " + in_words(FileError::io(ended.error().number)));
            return kept(io_error);
        }
        signal_ = ended->interrupted;
        if (!signal_ && ended->exit_code == 0 && !ended->killed_by)
            return fine;
        if (!signal_)
            say("gdvar: the editor '" + editor + "' " +
                (ended->killed_by ? "was ended by signal " + std::to_string(ended->killed_by)
                                  : "failed with exit code " + std::to_string(ended->exit_code)));
        const auto text = file_.read(save_.most_text());
        if (signal_ || !text || *text != text_)
            return kept(io_error);
        return give_up(io_error, "gdvar: nothing was written");
    }
    int nothing(const char* why) {
        say(save_.name() + ": " + why + "; nothing was written");
        return fine;
    }
    int again() {
        if (!options_.yes &&
            ask(signals_, "e = edit again, q = quit:", {"edit", "quit"}, signal_) == 'e')
            return fine;
        return kept(refused);
    }
    bool changed_meanwhile() {
        const auto now = file_stamp(options_.output_file);
        if (now && *now == options_.lock->stamp())
            return false;
        say(options_.output_file + ": " +
            replacing_in_words(now ? FileError::io(platform::changed_meanwhile) : now.error()));
        return true;
    }

    const Options& options_;
    platform::HeldSignals& signals_;
    EditedSave& save_;
    EditedFile& file_;
    const std::string text_;
    const bool encrypted_;
    int signal_ = 0;
};

/// Lists texts of earlier edits. They are kept: they may hold the only copy of a change.
void say_left_texts() {
    constexpr std::size_t most = 5;
    const std::vector<std::string> left = left_texts();
    for (const std::string& text : std::span(left).first(std::min(left.size(), most)))
        say("gdvar: note: an earlier edit has left its text in " + text +
            ", not encrypted; remove its folder when you don't need it");
    if (left.size() > most)
        say("gdvar: note: " + std::to_string(left.size() - most) + " more are beside it");
}

/// The current origin of this save's text. Errors: a message.
std::expected<Origin, std::string> origin_of(const Options& options, const EditedSave& save) {
    auto hash = hash_of(options.file);
    if (!hash)
        return std::unexpected(options.file + ": " + in_words(hash.error()));
    return Origin{*std::move(hash), quote(options.path), quote(save.form().name()),
                  quote(save.form().dialect->name)};
}

std::expected<EditedFile, std::string> text_for(const Options& options, const EditedSave& save) {
    if (options.resume.empty()) {
        const auto origin = origin_of(options, save);
        return origin ? EditedFile::make(options.file, save.form().suffix(), save.text(), *origin)
                      : std::unexpected(origin.error());
    }
    auto file = EditedFile::take_over(options.resume);
    if (!file)
        return file;
    const auto was = file->origin();
    const auto now = was ? origin_of(options, save) : was;
    const std::string why = now ? was->differs_from(*now) : now.error();
    if (!why.empty())
        return std::unexpected(options.resume + ": error[misplaced]: " + why +
                               "; the text stays as it is, and nothing was written");
    return file;
}

int run(Options& options) {
    if (options.file == "-")
        return give_up(usage, "gdvar: standard input can't be edited; name a file");
    if (!platform::runs_programs)
        return give_up(
            usage,
            "gdvar: this build can't start an editor; gdvar set, del and patch change a save");
    if (!options.yes && !platform::is_terminal(0))
        return give_up(
            usage,
            "gdvar: standard input is no terminal, so nobody can be asked; --yes writes without "
            "asking");
    options.asks = platform::is_terminal(0) && platform::is_terminal(2);
    const std::string editor = users_editor();
    if (editor.empty())
        return give_up(usage, "gdvar: no editor; set VISUAL or EDITOR to one");
    int exit = refuse_terminal(options);
    if (exit != fine)
        return exit;
    auto input = open_to_change(options, exit);
    if (!input)
        return exit;
    EditedSave save(*input, form_of(options), options.max_bytes);
    if (exit = save.open(options.path); exit != fine)
        return exit;
    platform::HeldSignals signals;  // until the file is removed
    auto file = text_for(options, save);
    if (!file) {
        say(file.error());
        return options.resume.empty() ? io_error : refused;
    }
    file->release();
    say_left_texts();
    bool write = false;
    const bool encrypted = std::ranges::any_of(
        input->layers(), [](const Layer& layer) { return layer.kind->encrypts; });
    Conversation conversation(options, signals, save, *file, encrypted);
    exit = conversation.run(editor, write);
    if (!write)
        return exit;
    say_dialect(*input, options);
    PacketOutput out(options, options, input->kind(), input->layers(), exit);
    if (exit == fine)
        exit = save.write(out);
    return exit == fine ? fine : conversation.kept(exit);
}

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "edit",
         .does = "opens values as text in your editor; writes what you changed",
         .examples =
             "gdvar edit game.save\n"
             "gdvar edit game.save '#0 $.players[3]' --backup game.old\n"
             "EDITOR=\"sed -i 's/: 97/: 9999/'\" gdvar edit --yes game.save '#0 $.players[3]'"},
        declare, run);
}

}  // namespace gdvar::app::commands::edit
