#include <cmath>

#include "command.hpp"
#include "input/input.hpp"
#include "live/sender.hpp"

namespace gdvar::app::commands::replay {
namespace {

struct Options : SendingOptions {
    SourceOptions recording;
    std::string direction = "to_server";
    double speed = 1;
};

void declare(Arguments& arguments, Options& options) {
    add_source(arguments, options.recording);
    add_file(arguments, options.recording).required();
    arguments.option("--speed", options.speed, "speed factor; 0: no pauses").seconds();
    arguments
        .option("--direction", options.direction, "which packets are sent: to_server, or to_client")
        .one_of({"to_server", "to_client"});
    add_url(arguments, options);
    add_sending(arguments, options);
}

#ifdef GDVAR_NET

/// The packets of a recording in that direction.
int add_recording(const Options& options, std::vector<Outgoing>& out) {
    InputOptions reading;
    static_cast<SourceOptions&>(reading) = options.recording;
    reading.dialect = "godot-4.4";
    // Else a damaged length would make it recognised as something else.
    reading.as = "records";
    int exit = fine;
    auto input = Input::open(reading, exit);
    if (!input)
        return exit;
    const Direction wanted =
        options.direction == "to_client" ? Direction::to_client : Direction::to_server;
    int worst = fine;
    std::size_t good = 0;
    exit = input->each([&](const Item& item) {
        if (item.cut)
            return false;
        auto recorded = decode<Recorded>(item.packet);
        if (!recorded) {
            input->complain(item, recorded.error(), {});
            worst = refused;
            return false;
        }
        if (recorded->channel < 0 || recorded->channel > 254 || !std::isfinite(recorded->time)) {
            say(input->name() + ":" + hex(item.offset) + ": " + item.label +
                "invalid time or channel");
            worst = refused;
            return false;
        }
        ++good;
        if (recorded->direction != wanted)
            return true;
        const auto bytes = as_bytes(recorded->packet);
        out.push_back({recorded->time,
                       recorded->client,
                       {bytes.begin(), bytes.end()},
                       {.channel = static_cast<std::uint8_t>(recorded->channel),
                        .reliable = recorded->reliable,
                        .text = recorded->text}});
        return true;
    });
    worst = exit != fine ? exit : worst;
    if (worst == fine && !good)
        return give_up(refused, input->name() + ": error[not_recognised]: the input is empty");
    if (worst == refused)
        say("gdvar: " + input->name() +
            (good ? ": the recording is damaged at #" + std::to_string(good)
                  : ": this is not a recording of listen or proxy"));
    return worst;
}

int run(Options& options) {
    const std::string url = transport_url(options.url, options);
    if (const auto parsed = parse_url(url); !parsed)
        return failed(url, parsed.error());
    std::vector<Outgoing> packets;
    if (const int exit = add_recording(options, packets))
        return exit;
    Monitor monitor(options, false);
    if (const int exit = monitor.find_dialect())
        return exit;
    std::set<std::string> names;
    for (const Outgoing& packet : packets)
        names.insert(packet.peer);
    if (names.empty())
        names.insert("");  // just to listen
    return send_all(options, options.speed > 0 ? options.speed : INFINITY, monitor, url, names,
                    feed_of(std::move(packets)));
}

#endif

}  // namespace

Command command() {
    return make_command<Options>(
        {.name = "replay",
         .does = "plays a recording of listen or proxy",
         .examples = "gdvar replay game.rec tcp://127.0.0.1:4000\n"
                     "gdvar replay game.rec tcp://127.0.0.1:4000 --speed 0 --direction to_client"},
        declare, run);
}

}  // namespace gdvar::app::commands::replay
