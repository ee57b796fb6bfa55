#include <cmath>

#include "command.hpp"
#include "input/input.hpp"
#include "live/sender.hpp"
#include "options/values.hpp"

namespace gdvar::app::commands::send {
namespace {

struct Options : SendingOptions {
    ValueOptions form_of_values;
    std::vector<std::string> values;
    std::string values_file;
    std::string as = "auto";
    std::uint32_t channel = 0;
    bool unreliable = false;
};

void declare(Arguments& arguments, Options& options) {
    add_url(arguments, options);
    arguments.option("VALUES", options.values, "values, as text or JSON");
    add_values(arguments, options.form_of_values, "what VALUES are: text or json");
    arguments.flag("--objects", options.objects, "send objects in full");
    arguments.option("--from", options.values_file,
                     "a file of packets or records, sent after VALUES");
    arguments.option("--as", options.as, "what that file is")
        .one_of({"auto", "packet", "records", "records-be", "hex", "base64"});
    arguments.option("--channel", options.channel, "ENet: the channel").range(0, 254);
    arguments.flag("--unreliable", options.unreliable, "ENet: may be lost");
    add_sending(arguments, options);
}

#ifdef GDVAR_NET

PacketFlags flags_of(const Options& options) {
    return {.channel = static_cast<std::uint8_t>(options.channel), .reliable = !options.unreliable};
}

int encode_values(const Options& options, const Dialect& dialect, std::vector<Outgoing>& out) {
    EncodeOptions encoding;
    encoding.dialect = &dialect;
    encoding.allow_objects = options.objects;
    encoding.real_width = static_cast<std::uint8_t>(options.real_width);
    for (std::string_view text : options.values) {
        if (text.starts_with(" ["))
            text.remove_prefix(1);  // set before it in main
        auto value = parse_value(options.form_of_values, dialect, text);
        if (!value)
            return give_up(usage, "gdvar: the value " + std::string(text) + ": " +
                                      to_string(value.error()) +
                                      plain_hint(options.form_of_values, text));
        auto packet = encode(*value, encoding);
        if (!packet)
            return give_up(refused, "gdvar: the value " + std::string(text) + ": " +
                                        not_encoded(*value, encoding, packet.error()));
        const auto bytes = as_bytes(*packet);
        out.push_back({0, "", {bytes.begin(), bytes.end()}, flags_of(options)});
    }
    return fine;
}

/// The packets of a file, unchanged. Only one record is held; all are checked first, so that a
/// damaged file is refused before anything is sent.
class PacketFile {
public:
    explicit PacketFile(const Options& options) : flags_(flags_of(options)) {
        reading_.file = options.values_file;
        reading_.as = options.as;
        reading_.dialect = options.dialect;
        reading_.real_width = options.real_width;
        reading_.objects = options.objects;
    }
    /// Returns an exit code.
    int open() {
        input_ = Input::open(reading_, exit_);
        if (!input_)
            return exit_;
        std::vector<Outgoing> all;
        exit_ = input_->each(
            [&](const Item& item) {
                if (!input_->has_records())
                    all.push_back(outgoing(item));
                return true;
            },
            Tail::keep);
        all_ = feed_of(std::move(all));
        if (exit_ == fine && input_->has_records())
            exit_ = input_->rewind();
        return exit_;
    }
    std::optional<Outgoing> next() {
        if (!input_->has_records())
            return all_();
        const auto item = input_->next(exit_);
        return item ? std::optional(outgoing(*item)) : std::nullopt;
    }
    /// The exit code of reading so far.
    int exit() const { return exit_; }

private:
    Outgoing outgoing(const Item& item) const {
        return {0, "", {item.packet.begin(), item.packet.end()}, flags_};
    }
    InputOptions reading_;
    PacketFlags flags_;
    std::unique_ptr<Input> input_;
    Feed all_;  ///< for input other than records
    int exit_ = fine;
};

int run(Options& options) {
    const std::string url = transport_url(options.url, options);
    if (const auto parsed = parse_url(url); !parsed)
        return failed(url, parsed.error());
    Monitor monitor(options, false);
    if (const int exit = monitor.find_dialect())
        return exit;
    const Dialect& dialect = monitor.dialect() ? *monitor.dialect() : gdvar::dialects::godot_4_4;
    std::vector<Outgoing> packets;
    if (const int exit = encode_values(options, dialect, packets))
        return exit;
    std::optional<PacketFile> file;
    if (!options.values_file.empty())
        if (const int exit = file.emplace(options).open())
            return exit;
    const int exit =
        send_all(options, INFINITY, monitor, url, {""}, [&, first = feed_of(std::move(packets))]() {
            auto packet = first();
            return packet || !file ? packet : file->next();
        });
    return exit == fine && file ? file->exit() : exit;
}

#endif

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "send",
         .does = "sends values and prints the answers",
         .examples =
             "gdvar send tcp://127.0.0.1:4000 '{\"say\": \"hello\"}' '[1, Vector2(2, 3)]'\n"
             "gdvar send udp://127.0.0.1:4000 --dialect godot3 --from packets.bin --wait 3"},
        declare, run);
}

}  // namespace gdvar::app::commands::send
