// A game server's messages as structs: what GDScript sends with put_var([...]) or put_var({...})
// is decoded into one of them, and the answer is encoded from another, without a tree and without
// allocations.
#include <cstdio>
#include <gdvar/gdvar.hpp>

// GDScript: peer.put_var(["move", 7, Vector3(1, 0, 2)])
struct Move {
    gdvar::Tag<"move"> op;
    std::int64_t seq = 0;
    gdvar::Vector3 to;
};
template <>
struct gdvar::meta<Move> {
    static constexpr auto fields =
        std::tuple(gdvar::field("op", &Move::op), gdvar::field("seq", &Move::seq),
                   gdvar::field("to", &Move::to));
    static constexpr gdvar::StructOptions<Move> options{.as_array = true};
};

// GDScript: peer.put_var({"say": "hello", "to": null}); a Dictionary needs no meta.
struct Say {
    std::string_view say;
    std::optional<std::string_view> to;
};

using Message = std::variant<Move, Say>;

// The server answers with a Dictionary.
struct Answer {
    bool ok = false;
    std::int64_t seq = 0;
    std::string_view echo;
};

static Answer answer(const Move& move) {
    return {move.to.y == 0, move.seq, "move"};
}
static Answer answer(const Say& say) {
    return {true, 0, say.say};
}

int main() {
    using namespace gdvar;
    const DecodeOptions untrusted{.limits = Limits::network()};
    const PackedByteArray packets[] = {
        *var_to_bytes(Array{"move", 7, Vector3{1, 0, 2}}),
        *var_to_bytes(Dictionary{{"say", "hello"}, {"to", nullptr}}),
        *var_to_bytes(Array{"move", 8, "somewhere"}),
    };
    Message message;      // kept from packet to packet
    PackedByteArray out;  // and so is the buffer
    for (const PackedByteArray& packet : packets) {
        if (auto size = decode_to(message, as_bytes(packet), untrusted); !size) {
            std::printf("refused: %s: %s\n",
                        error_path(as_bytes(packet), untrusted, size.error()).c_str(),
                        to_string(size.error()).c_str());
            continue;
        }
        const Answer reply = std::visit([](const auto& m) { return answer(m); }, message);
        out.clear();
        if (!encode_to(out, reply))
            return 1;
        const auto back = bytes_to_var(out);
        std::printf("%zu bytes: seq %lld, \"%.*s\"\n", out.size(),
                    static_cast<long long>((*back)["seq"].get_or<std::int64_t>(-1)),
                    static_cast<int>(reply.echo.size()), reply.echo.data());
    }
    return 0;
}
