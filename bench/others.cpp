// Alternatives on the same data: nlohmann's CBOR as a tree, FlatBuffers and Cap'n
// Proto into and out of the same structs. MB/s count Godot's bytes for all, so that the figures
// compare.
#include <capnp/message.h>
#include <capnp/serialize.h>
#include <flatbuffers/flatbuffers.h>

#include <nlohmann/json.hpp>

#include "others.capnp.h"
#include "others_generated.h"
#include "structs.hpp"
#include "task.hpp"

namespace gdvar::bench {
namespace {

// ---- CBOR

using Json = nlohmann::json;

Json as_json(const Variant& value) {
    if (value.is(Type::boolean))
        return value.boolean();
    if (value.is(Type::integer))
        return value.integer();
    if (value.is(Type::real))
        return value.real();
    if (value.is(Type::string))
        return std::string(value.text());
    Json out = Json::array();
    if (const Array* array = value.get_if<Array>()) {
        for (const Variant& item : *array)
            out.push_back(as_json(item));
    } else if (const Dictionary* dictionary = value.get_if<Dictionary>()) {
        out = Json::object();
        for (const auto& [key, item] : *dictionary)
            out[std::string(key.text())] = as_json(item);
    } else if (is_math(value.type())) {
        const MathView components = value.math();
        for (std::size_t i = 0; i < components.components(); ++i)
            out.push_back(components.real(i));
    } else if (type_info(value.type()).packed) {
        const PackedView view = value.packed();
        for (std::size_t i = 0; i < view.count * view.components(); ++i) {
            if (view.component() == ComponentType::i32)
                out.push_back(view.component_at<std::int32_t>(i));
            else
                out.push_back(view.component_at<float>(i));
        }
    } else if (const auto* path = value.get_if<NodePath>()) {
        return path->to_string();
    } else {
        return nullptr;
    }
    return out;
}

struct CborData {
    std::vector<Json> values;
    std::vector<std::vector<std::uint8_t>> packets;
};
CborData cbor_of(const Workload& of) {
    CborData out;
    for (const Variant& value : of.values) {
        out.values.push_back(as_json(value));
        out.packets.push_back(Json::to_cbor(out.values.back()));
    }
    return out;
}

void cbor_decode(benchmark::State& state, const Workload& of) {
    const CborData data = cbor_of(of);
    Json made;
    run(
        state, of, [&](std::size_t i) { made = Json::from_cbor(data.packets[i]); },
        [&](std::size_t i) { return made == data.values[i]; });
}
void cbor_encode(benchmark::State& state, const Workload& of) {
    const CborData data = cbor_of(of);
    std::vector<std::uint8_t> made;
    run(
        state, of,
        [&](std::size_t i) {
            made.clear();
            Json::to_cbor(data.values[i], made);
        },
        [&](std::size_t i) { return made == data.packets[i]; });
}

// ---- FlatBuffers: builder kept, verified before it is read

std::string_view view_of(const flatbuffers::String* text) {
    return {text->c_str(), text->size()};
}
Vector3 vector_of(const fb::Vec3* v) {
    return {v->x(), v->y(), v->z()};
}

struct FlatTick {
    using Value = std::vector<Entity>;
    static constexpr const char* workload = "mmo_tick";
    static void write(flatbuffers::FlatBufferBuilder& b, const Value& value) {
        std::vector<flatbuffers::Offset<fb::Entity>> all;
        all.reserve(value.size());
        for (const Entity& e : value) {
            const auto name = b.CreateString(e.name), kind = b.CreateString(e.state);
            const fb::Vec3 pos(e.pos.x, e.pos.y, e.pos.z), vel(e.vel.x, e.vel.y, e.vel.z);
            fb::EntityBuilder made(b);
            made.add_id(e.id);
            made.add_name(name);
            made.add_pos(&pos);
            made.add_vel(&vel);
            made.add_yaw(e.yaw);
            made.add_hp(e.hp);
            made.add_max_hp(e.max_hp);
            made.add_state(kind);
            made.add_alive(e.alive);
            if (e.target)
                made.add_target(*e.target);
            all.push_back(made.Finish());
        }
        b.Finish(fb::CreateTick(b, b.CreateVector(all)));
    }
    static bool read(std::span<const std::uint8_t> bytes, Value& out) {
        flatbuffers::Verifier verifier(bytes.data(), bytes.size());
        if (!verifier.VerifyBuffer<fb::Tick>())
            return false;
        const auto* all = flatbuffers::GetRoot<fb::Tick>(bytes.data())->entities();
        out.resize(all->size());
        for (flatbuffers::uoffset_t i = 0; i < all->size(); ++i) {
            const fb::Entity* e = all->Get(i);
            out[i] = {e->id(),
                      view_of(e->name()),
                      vector_of(e->pos()),
                      vector_of(e->vel()),
                      e->yaw(),
                      e->hp(),
                      e->max_hp(),
                      view_of(e->state()),
                      e->alive(),
                      e->target() ? std::optional<std::int64_t>(*e->target()) : std::nullopt};
        }
        return true;
    }
};

struct FlatChat {
    using Value = std::vector<ChatMessage>;
    static constexpr const char* workload = "chat";
    static void write(flatbuffers::FlatBufferBuilder& b, const Value& value) {
        std::vector<flatbuffers::Offset<fb::ChatMessage>> all;
        all.reserve(value.size());
        for (const ChatMessage& m : value) {
            const auto from = b.CreateString(m.from), channel = b.CreateString(m.channel),
                       text = b.CreateString(m.text);
            all.push_back(fb::CreateChatMessage(b, m.ts, from, channel, text));
        }
        b.Finish(fb::CreateChat(b, b.CreateVector(all)));
    }
    static bool read(std::span<const std::uint8_t> bytes, Value& out) {
        flatbuffers::Verifier verifier(bytes.data(), bytes.size());
        if (!verifier.VerifyBuffer<fb::Chat>())
            return false;
        const auto* all = flatbuffers::GetRoot<fb::Chat>(bytes.data())->messages();
        out.resize(all->size());
        for (flatbuffers::uoffset_t i = 0; i < all->size(); ++i) {
            const fb::ChatMessage* m = all->Get(i);
            out[i] = {m->ts(), view_of(m->from()), view_of(m->channel()), view_of(m->text())};
        }
        return true;
    }
};

struct FlatSmall {
    using Value = SmallMessage;
    static constexpr const char* workload = "small_packets";
    static void write(flatbuffers::FlatBufferBuilder& b, const Value& value) {
        const fb::Any kind = static_cast<fb::Any>(value.index() + 1);
        flatbuffers::Offset<void> what;
        if (const auto* m = std::get_if<MoveMessage>(&value)) {
            const fb::Vec3 to(m->to.x, m->to.y, m->to.z);
            what = fb::CreateMove(b, m->seq, &to, m->speed).Union();
        } else if (const auto* s = std::get_if<StateMessage>(&value)) {
            what = fb::CreateState(b, s->op, s->seq, s->dx, s->jump).Union();
        } else if (const auto* h = std::get_if<HitMessage>(&value)) {
            what = fb::CreateHit(b, h->whom, h->damage).Union();
        } else if (const auto* t = std::get_if<SayMessage>(&value)) {
            what = fb::CreateSay(b, t->seq, b.CreateString(t->text)).Union();
        }
        b.Finish(fb::CreateSmall(b, kind, what));
    }
    static bool read(std::span<const std::uint8_t> bytes, Value& out) {
        flatbuffers::Verifier verifier(bytes.data(), bytes.size());
        if (!verifier.VerifyBuffer<fb::Small>())
            return false;
        const fb::Small* small = flatbuffers::GetRoot<fb::Small>(bytes.data());
        if (const auto* m = small->what_as_Move())
            out = MoveMessage{{}, m->seq(), vector_of(m->to()), m->speed()};
        else if (const auto* s = small->what_as_State())
            out = StateMessage{s->op(), s->seq(), s->dx(), s->jump()};
        else if (const auto* h = small->what_as_Hit())
            out = HitMessage{{}, h->whom(), h->damage()};
        else if (const auto* t = small->what_as_Say())
            out = SayMessage{t->seq(), view_of(t->text())};
        return true;
    }
};

// ---- Cap'n Proto: arena kept, unpacked

void put(cp::Vec3::Builder to, const Vector3& v) {
    to.setX(v.x);
    to.setY(v.y);
    to.setZ(v.z);
}
Vector3 vector_of(cp::Vec3::Reader v) {
    return {v.getX(), v.getY(), v.getZ()};
}
capnp::Text::Reader text_of(std::string_view text) {
    return {text.data(), text.size()};
}
std::string_view view_of(capnp::Text::Reader text) {
    return {text.begin(), text.size()};
}

/// Cap'n Proto's own texts end with a NUL, which borrowed ones need not: they are copied in.
void put_text(capnp::Text::Builder to, std::string_view text) {
    std::memcpy(to.begin(), text.data(), text.size());
}

struct CapnpTick {
    using Value = std::vector<Entity>;
    static constexpr const char* workload = "mmo_tick";
    static void write(capnp::MessageBuilder& b, const Value& value) {
        auto all = b.initRoot<cp::Tick>().initEntities(static_cast<unsigned>(value.size()));
        for (unsigned i = 0; i < value.size(); ++i) {
            const Entity& e = value[i];
            auto to = all[i];
            to.setId(e.id);
            put_text(to.initName(static_cast<unsigned>(e.name.size())), e.name);
            put(to.initPos(), e.pos);
            put(to.initVel(), e.vel);
            to.setYaw(e.yaw);
            to.setHp(e.hp);
            to.setMaxHp(e.max_hp);
            put_text(to.initState(static_cast<unsigned>(e.state.size())), e.state);
            to.setAlive(e.alive);
            if (e.target)
                to.getTarget().setId(*e.target);
        }
    }
    static bool read(capnp::MessageReader& message, Value& out) {
        const auto all = message.getRoot<cp::Tick>().getEntities();
        out.resize(all.size());
        for (unsigned i = 0; i < all.size(); ++i) {
            const auto e = all[i];
            out[i] = {e.getId(),
                      view_of(e.getName()),
                      vector_of(e.getPos()),
                      vector_of(e.getVel()),
                      e.getYaw(),
                      e.getHp(),
                      e.getMaxHp(),
                      view_of(e.getState()),
                      e.getAlive(),
                      e.getTarget().isId() ? std::optional<std::int64_t>(e.getTarget().getId())
                                           : std::nullopt};
        }
        return true;
    }
};

struct CapnpChat {
    using Value = std::vector<ChatMessage>;
    static constexpr const char* workload = "chat";
    static void write(capnp::MessageBuilder& b, const Value& value) {
        auto all = b.initRoot<cp::Chat>().initMessages(static_cast<unsigned>(value.size()));
        for (unsigned i = 0; i < value.size(); ++i) {
            const ChatMessage& m = value[i];
            all[i].setTs(m.ts);
            put_text(all[i].initFrom(static_cast<unsigned>(m.from.size())), m.from);
            put_text(all[i].initChannel(static_cast<unsigned>(m.channel.size())), m.channel);
            put_text(all[i].initText(static_cast<unsigned>(m.text.size())), m.text);
        }
    }
    static bool read(capnp::MessageReader& message, Value& out) {
        const auto all = message.getRoot<cp::Chat>().getMessages();
        out.resize(all.size());
        for (unsigned i = 0; i < all.size(); ++i)
            out[i] = {all[i].getTs(), view_of(all[i].getFrom()), view_of(all[i].getChannel()),
                      view_of(all[i].getText())};
        return true;
    }
};

struct CapnpSmall {
    using Value = SmallMessage;
    static constexpr const char* workload = "small_packets";
    static void write(capnp::MessageBuilder& b, const Value& value) {
        auto to = b.initRoot<cp::Small>();
        if (const auto* m = std::get_if<MoveMessage>(&value)) {
            auto move = to.initMove();
            move.setSeq(m->seq);
            put(move.initTo(), m->to);
            move.setSpeed(m->speed);
        } else if (const auto* s = std::get_if<StateMessage>(&value)) {
            auto state = to.initState();
            state.setOp(s->op);
            state.setSeq(s->seq);
            state.setDx(s->dx);
            state.setJump(s->jump);
        } else if (const auto* h = std::get_if<HitMessage>(&value)) {
            auto hit = to.initHit();
            hit.setWhom(h->whom);
            hit.setDamage(h->damage);
        } else if (const auto* t = std::get_if<SayMessage>(&value)) {
            auto say = to.initSay();
            say.setSeq(t->seq);
            put_text(say.initText(static_cast<unsigned>(t->text.size())), t->text);
        }
    }
    static bool read(capnp::MessageReader& message, Value& out) {
        const auto small = message.getRoot<cp::Small>();
        if (small.isMove())
            out = MoveMessage{{},
                              small.getMove().getSeq(),
                              vector_of(small.getMove().getTo()),
                              small.getMove().getSpeed()};
        else if (small.isState())
            out = StateMessage{small.getState().getOp(), small.getState().getSeq(),
                               small.getState().getDx(), small.getState().getJump()};
        else if (small.isHit())
            out = HitMessage{{}, small.getHit().getWhom(), small.getHit().getDamage()};
        else
            out = SayMessage{small.getSay().getSeq(), view_of(small.getSay().getText())};
        return true;
    }
};

// ---- the tasks

template <class Value>
std::vector<Value> values_of(const Workload& of) {
    std::vector<Value> out(of.packets.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        if (!decode_to(out[i], as_bytes(of.packets[i])))
            std::abort();
    return out;
}
/// The struct holds what Godot's packet holds.
template <class Value>
bool is_right(const Value& value, const PackedByteArray& packet) {
    const auto bytes = encode(value);
    return bytes && *bytes == packet;
}

template <class Format>
void flat_encode(benchmark::State& state, const Workload& of) {
    const auto values = values_of<typename Format::Value>(of);
    flatbuffers::FlatBufferBuilder builder(1 << 20);
    typename Format::Value back{};
    run(
        state, of,
        [&](std::size_t i) {
            builder.Clear();
            Format::write(builder, values[i]);
            benchmark::DoNotOptimize(builder.GetBufferPointer());
        },
        [&](std::size_t i) {
            return Format::read({builder.GetBufferPointer(), builder.GetSize()}, back) &&
                   is_right(back, of.packets[i]);
        });
}
template <class Format>
void flat_decode(benchmark::State& state, const Workload& of) {
    std::vector<std::vector<std::uint8_t>> packets;
    for (const auto& value : values_of<typename Format::Value>(of)) {
        flatbuffers::FlatBufferBuilder builder;
        Format::write(builder, value);
        packets.emplace_back(builder.GetBufferPointer(),
                             builder.GetBufferPointer() + builder.GetSize());
    }
    typename Format::Value kept{};
    run(
        state, of, [&](std::size_t i) { benchmark::DoNotOptimize(Format::read(packets[i], kept)); },
        [&](std::size_t i) { return is_right(kept, of.packets[i]); });
}
template <class Format>
kj::Array<capnp::word> capnp_packet(const typename Format::Value& value,
                                    kj::ArrayPtr<capnp::word> scratch) {
    std::memset(static_cast<void*>(scratch.begin()), 0, scratch.size() * sizeof(capnp::word));
    capnp::MallocMessageBuilder builder(scratch);
    Format::write(builder, value);
    return capnp::messageToFlatArray(builder);
}
template <class Format>
void capnp_encode(benchmark::State& state, const Workload& of) {
    const auto values = values_of<typename Format::Value>(of);
    const std::size_t words = of.packets.size() > 1 ? 64 : of.bytes / 2;
    auto scratch = kj::heapArray<capnp::word>(words);
    std::memset(scratch.begin(), 0, words * sizeof(capnp::word));
    typename Format::Value back{};
    kj::Array<capnp::word> made;
    run(
        state, of,
        [&](std::size_t i) {
            // The builder zeroes what it used when it goes.
            capnp::MallocMessageBuilder builder(scratch);
            Format::write(builder, values[i]);
            made = capnp::messageToFlatArray(builder);
        },
        [&](std::size_t i) {
            capnp::FlatArrayMessageReader reader(made);
            return Format::read(reader, back) && is_right(back, of.packets[i]);
        });
}
template <class Format>
void capnp_decode(benchmark::State& state, const Workload& of) {
    std::vector<kj::Array<capnp::word>> packets;
    auto scratch = kj::heapArray<capnp::word>(of.packets.size() > 1 ? 64 : 1 << 20);
    for (const auto& value : values_of<typename Format::Value>(of))
        packets.push_back(capnp_packet<Format>(value, scratch));
    typename Format::Value kept{};
    run(
        state, of,
        [&](std::size_t i) {
            capnp::ReaderOptions options;
            options.traversalLimitInWords = 1 << 26;
            capnp::FlatArrayMessageReader reader(packets[i], options);
            benchmark::DoNotOptimize(Format::read(reader, kept));
        },
        [&](std::size_t i) { return is_right(kept, of.packets[i]); });
}

[[maybe_unused]] const int registered = [] {
    std::vector<std::string> trees = workload_names();
    add("cbor", trees, cbor_decode);
    add("encode_cbor", trees, cbor_encode);
    add("flatbuffers", {FlatTick::workload}, flat_decode<FlatTick>);
    add("flatbuffers", {FlatChat::workload}, flat_decode<FlatChat>);
    add("flatbuffers", {FlatSmall::workload}, flat_decode<FlatSmall>);
    add("encode_flatbuffers", {FlatTick::workload}, flat_encode<FlatTick>);
    add("encode_flatbuffers", {FlatChat::workload}, flat_encode<FlatChat>);
    add("encode_flatbuffers", {FlatSmall::workload}, flat_encode<FlatSmall>);
    add("capnproto", {CapnpTick::workload}, capnp_decode<CapnpTick>);
    add("capnproto", {CapnpChat::workload}, capnp_decode<CapnpChat>);
    add("capnproto", {CapnpSmall::workload}, capnp_decode<CapnpSmall>);
    add("encode_capnproto", {CapnpTick::workload}, capnp_encode<CapnpTick>);
    add("encode_capnproto", {CapnpChat::workload}, capnp_encode<CapnpChat>);
    add("encode_capnproto", {CapnpSmall::workload}, capnp_encode<CapnpSmall>);
    return 0;
}();

}  // namespace
}  // namespace gdvar::bench
