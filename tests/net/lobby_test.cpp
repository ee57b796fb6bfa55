// The lobby of examples/lobby, as a program of its own: played by our own connections, and by real
// engines.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>

#include "net/support.hpp"
#include "support/live.hpp"

extern char** environ;

namespace gdvar::test {

using namespace net;
namespace {

using namespace std::chrono_literals;

/// An example's server. Ends with the test.
class Program {
public:
    /// Reads that many lines of what it prints.
    Program(std::vector<std::string> words, std::ptrdiff_t lines) {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            return;
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        if (::posix_spawn(&id_, arguments[0], &actions, nullptr, arguments.data(), environ) != 0)
            id_ = 0;
        posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        read(ends[0], lines);
        ::close(ends[0]);
    }
    Program(const Program&) = delete;
    ~Program() {
        if (id_ > 0)
            finish(SIGKILL);
    }
    /// The last word of each line.
    const std::vector<std::string>& addresses() const { return addresses_; }
    void signal(int number) const {
        if (id_ > 0)
            ::kill(id_, number);
    }
    /// Its exit status after that signal; -1 when a signal ended it, or it did not end in time.
    int finish(int number) {
        signal(number);
        for (int i = 0; i < 1000; ++i) {
            int status = 0;
            if (::waitpid(id_, &status, WNOHANG) == id_) {
                id_ = 0;
                return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            }
            std::this_thread::sleep_for(10ms);
        }
        return -1;
    }

private:
    void read(int from, std::ptrdiff_t lines) {
        std::string text;
        pollfd ready{from, POLLIN, 0};
        while (std::ranges::count(text, '\n') < lines && ::poll(&ready, 1, 20'000) > 0) {
            char buffer[256];
            const auto n = ::read(from, buffer, sizeof buffer);
            if (n <= 0)
                break;
            text.append(buffer, static_cast<std::size_t>(n));
        }
        std::istringstream all(text);
        for (std::string line; std::getline(all, line);)
            addresses_.push_back(line.substr(line.rfind(' ') + 1));
    }

    pid_t id_ = 0;
    std::vector<std::string> addresses_;
};

/// Godot 4 over TCP and WebSocket, Godot 3 over TCP and WebSocket.
class Lobby : public Program {
public:
    Lobby() : Program({GDVAR_LOBBY, "godot4", "0", "0", "godot3", "0", "0"}, 4) {}
    const std::vector<std::string>& urls() const { return addresses(); }
};

/// A player, and what it was told, in the words of client4.gd.
class Guest {
public:
    Guest(const std::string& url, const Dialect& dialect, const std::string& name) {
        NetOptions options;
        options.decoding.dialect = options.encoding.dialect = &dialect;
        auto made = Connection::connect(url, options);
        if (!made) {
            ADD_FAILURE() << url << ": " << made.error().text;
            return;
        }
        connection_ = std::make_unique<Connection>(*std::move(made));
        put(Dictionary{{"type", "join"}, {"name", name}});
    }
    explicit operator bool() const { return connection_ != nullptr; }
    Connection& connection() { return *connection_; }
    void put(const Variant& message) { EXPECT_TRUE(connection_->put_var(message)); }
    void say(const char* text) { put(Dictionary{{"type", "say"}, {"text", text}}); }
    void move(float x, float y) { put(Dictionary{{"type", "move"}, {"to", Vector2{x, y}}}); }

    /// Listens until that line comes. False: it did not in time, or the connection ended.
    bool hear(const std::string& line) {
        return listen([&] { return lines.back() == line; });
    }
    bool listen(const std::function<bool()>& enough, std::chrono::milliseconds time = 20s) {
        const auto until = std::chrono::steady_clock::now() + time;
        while (std::chrono::steady_clock::now() < until) {
            const auto message = connection_->get_var(200ms);
            if (!message && message.error().code != Errc::timed_out)
                return false;
            if (!message)
                continue;
            take(*message);
            if (!lines.empty() && enough())
                return true;
        }
        return false;
    }
    std::vector<std::string> lines;
    std::size_t welcomed = 0;  ///< how many were there before

private:
    void take(const Variant& message) {
        const auto type = message["type"].get_or<std::string>("?");
        std::ostringstream line;
        line.precision(1);
        line << std::fixed;
        if (type == "welcome") {
            welcomed = message["players"].size();
            for (std::size_t i = 0; i < welcomed; ++i)
                know(message["players"][i]);
            return;
        }
        if (type == "joined")
            line << know(message["player"]) << " joined";
        const std::string& who = names_[message["id"].get_or<std::int64_t>(-1)];
        if (type == "left")
            line << who << " left";
        if (type == "said")
            line << who << " says: " << message["text"].get_or<std::string>("?");
        if (type == "moved") {
            const auto to = message["to"].get_or<Vector2>({});
            line << who << " moved to " << to.x << ", " << to.y;
        }
        if (type == "refused")
            line << "refused: " << message["why"].get_or<std::string>("?");
        lines.push_back(line.str());
    }
    std::string know(const Variant& player) {
        return names_[player["id"].get_or<std::int64_t>(-1)] =
                   player["name"].get_or<std::string>("?");
    }

    std::unique_ptr<Connection> connection_;
    std::map<std::int64_t, std::string> names_;
};

using Lines = std::vector<std::string>;

TEST(Lobby, TellsEveryoneWhoComesSpeaksMovesAndGoes) {
    Lobby lobby;
    ASSERT_EQ(lobby.urls().size(), 4u);
    Guest ada(lobby.urls()[0], dialects::godot_4_4, "Ada");
    ASSERT_TRUE(ada && ada.hear("Ada joined"));
    Guest bob(lobby.urls()[3], dialects::godot_3_1, "Bob");
    ASSERT_TRUE(bob && bob.hear("Bob joined"));
    EXPECT_EQ(bob.welcomed, 1u);
    bob.say("h\xC3\xA9llo");
    bob.move(1, -2.5F);
    ASSERT_TRUE(ada.hear("Bob moved to 1.0, -2.5"));
    ada.move(std::numeric_limits<float>::infinity(),
             0);  // nobody can stand there, nobody hears of it
    ada.say("bye");
    ASSERT_TRUE(bob.hear("Ada says: bye"));
    EXPECT_TRUE(ada.connection().close());
    ASSERT_TRUE(bob.hear("Ada left"));
    EXPECT_EQ(bob.lines, (Lines{"Bob joined", "Bob says: h\xC3\xA9llo", "Bob moved to 1.0, -2.5",
                                "Ada says: bye", "Ada left"}));
    EXPECT_EQ(ada.lines, (Lines{"Ada joined", "Bob joined", "Bob says: h\xC3\xA9llo",
                                "Bob moved to 1.0, -2.5"}));
}

TEST(Lobby, SendsAwayWhoDoesNotKeepToTheRules) {
    Lobby lobby;
    ASSERT_EQ(lobby.urls().size(), 4u);
    Guest ada(lobby.urls()[1], dialects::godot_4_4, "Ada");
    ASSERT_TRUE(ada && ada.hear("Ada joined"));
    Guest other(lobby.urls()[0], dialects::godot_4_4, "Ada");
    ASSERT_TRUE(other);
    EXPECT_TRUE(other.hear("refused: the name is taken, or you are here already"));
    other.put(Dictionary{{"type", "join"}, {"name", std::string(25, 'x')}});
    ASSERT_TRUE(other.listen([] { return true; }));
    EXPECT_NE(other.lines.back().find("length_out_of_range"), std::string::npos)
        << other.lines.back();
    const auto end = other.connection().get_var();
    EXPECT_EQ(end.error().code, Errc::closed);

    Guest huge(lobby.urls()[0], dialects::godot_4_4, "Huge");
    ASSERT_TRUE(huge && huge.hear("Huge joined"));
    huge.put(Variant(std::string(2000, 'x')));
    EXPECT_FALSE(huge.hear("never said"));  // the connection is gone before the time is over
    ASSERT_TRUE(ada.hear("Huge left"));
    EXPECT_EQ(ada.lines, (Lines{"Ada joined", "Huge joined", "Huge left"}));
}

TEST(Lobby, ClosesWellWhenItIsToldTo) {
    for (const int number : {SIGINT, SIGTERM}) {
        Lobby lobby;
        ASSERT_EQ(lobby.urls().size(), 4u);
        Guest tcp(lobby.urls()[0], dialects::godot_4_4, "Ada");
        Guest web(lobby.urls()[1], dialects::godot_4_4, "Bob");
        ASSERT_TRUE(tcp && web && tcp.hear("Bob joined") && web.hear("Bob joined"));
        lobby.signal(number);
        for (Guest* guest : {&tcp, &web}) {
            auto last = guest->connection().get_var();
            while (last)  // the other may have gone first
                last = guest->connection().get_var();
            EXPECT_EQ(last.error().code, Errc::closed) << last.error().text;
        }
        EXPECT_EQ(lobby.finish(number), 0);
    }
}

TEST(Echo, SendsBackWhatComes) {
    for (const std::string scheme : {"tcp", "udp", "ws", "enet"}) {
        Program echo({GDVAR_ECHO, scheme + "://127.0.0.1:0"}, 1);
        ASSERT_EQ(echo.addresses().size(), 1u);
        auto connection = Connection::connect(scheme + "://" + echo.addresses()[0]);
        ASSERT_TRUE(connection) << connection.error().text;
        const Variant value(Dictionary{{"a", Array{1, 2.5, Vector3{1, 2, 3}}}});
        ASSERT_TRUE(connection->put_var(value));
        EXPECT_EQ(connection->get_var(), value) << scheme;
    }
}

/// The guide's GDScript.
TEST(EchoLive, EveryTransportFromGodot4) {
    std::string why;
    const auto engine = LiveEngine::find("godot-4.6.3", why);
    if (!engine)
        GTEST_SKIP() << why;
    std::filesystem::copy_file(certificates() / "server.pem", engine->folder() / "server.crt");
    std::string words = "%D/server.crt";
    std::vector<std::unique_ptr<EchoServer>> servers;
    Lines expected;
    for (const std::string& scheme : every_scheme) {
        const bool local = scheme == "unix";
        const std::string url =
            local ? "unix:" + (engine->folder() / "socket").string() : scheme + "://127.0.0.1:0";
        servers.push_back(std::make_unique<EchoServer>(url, test_options()));
        words += " " + scheme + "=";
        words += local ? "%D/socket" : std::to_string(servers.back()->port());
        expected.push_back(scheme + ": { \"hello\": \"" + scheme + "\", \"at\": (1.0, 2.0) }");
    }
    engine->run(source_dir() / "examples/echo4.gd", words, 60);
    std::ifstream in(engine->output());
    Lines printed;
    for (std::string line; std::getline(in, line);)
        if (line.find(": { ") != line.npos)
            printed.push_back(line);
    EXPECT_EQ(printed, expected);
}

/// The guide's first client. It names a port, which here is one that is free.
TEST(EchoLive, FirstClientFromGodot4) {
    std::string why;
    const auto engine = LiveEngine::find("godot-4.6.3", why);
    if (!engine)
        GTEST_SKIP() << why;
    EchoServer echo("tcp://127.0.0.1:0", test_options());
    std::ifstream in(source_dir() / "examples/hello4.gd");
    std::string script{std::istreambuf_iterator<char>(in), {}};
    const std::size_t port = script.rfind("4000");
    ASSERT_NE(port, script.npos);
    script.replace(port, 4, std::to_string(echo.port()));
    const auto copy = engine->folder() / "hello4.gd";
    std::ofstream(copy) << script;
    engine->run(copy, "", 60);
    std::ifstream printed(engine->output());
    const std::string out{std::istreambuf_iterator<char>(printed), {}};
    EXPECT_NE(out.find("{ \"hello\": \"tcp\", \"at\": (1.0, 2.0) }\n"), out.npos) << out;
}

/// One engine playing two players, each a program of its own.
struct Party {
    const char* engine;
    const char* script;
    std::size_t first_url;
};
constexpr Party parties[] = {{"godot-4.6.3", "client4.gd", 0},
                             {"godot-3.6.2", "client3.gd", 2},
                             {"godot-3.2.3", "client3.gd", 2}};

struct Played {
    std::string name;
    LiveEngine engine;
    std::thread thread;
};

/// The player's output of the game: lines that begin with a player's name.
Lines game_of(const Played& played, const std::vector<std::string>& names) {
    Lines out;
    std::ifstream in(played.engine.output());
    for (std::string line; std::getline(in, line);)
        if (std::ranges::any_of(names, [&](const auto& name) { return line.starts_with(name); }))
            out.push_back(line);
    return out;
}

TEST(LobbyLive, EnginesSeeTheSameGame) {
    Lobby lobby;
    ASSERT_EQ(lobby.urls().size(), 4u);
    Guest host(lobby.urls()[0], dialects::godot_4_4, "Host");
    ASSERT_TRUE(host && host.hear("Host joined"));
    std::vector<Played> all;
    std::vector<std::string> names{"Host"};
    std::vector<std::string> arguments;
    for (const Party& party : parties) {
        for (const char* transport : {"tcp", "ws"}) {
            std::string why;
            auto engine = LiveEngine::find(party.engine, why);
            if (!engine)
                continue;
            const std::string& url =
                lobby.urls()[party.first_url + (transport == std::string("ws"))];
            names.push_back(std::string(party.engine) + "-" + transport);
            arguments.push_back(std::string(transport) + " " + url.substr(url.rfind(':') + 1) +
                                " " + names.back());
            all.push_back({names.back(), *std::move(engine), {}});
        }
    }
    if (all.empty())
        GTEST_SKIP() << "no engine is here";
    RecordProperty("players", static_cast<int>(all.size()));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool four = all[i].name.starts_with("godot-4");
        all[i].thread = std::thread([&engine = all[i].engine, four,
                                     words = arguments[i] + " " + std::to_string(names.size())] {
            engine.run(source_dir() / "examples/lobby" / (four ? "client4.gd" : "client3.gd"),
                       words, 60);
        });
    }
    host.say("welcome");
    host.move(3, 1.5F);
    const auto have_left = [&] {
        return std::ranges::count_if(host.lines, [](auto& l) { return l.ends_with(" left"); });
    };
    EXPECT_TRUE(host.listen([&] { return have_left() == std::ssize(all); }, 70s));
    for (Played& played : all)
        played.thread.join();
    for (const Played& played : all) {
        const Lines saw = game_of(played, names);
        // From its own joining to its leaving it was told what the host was told, in that order.
        const auto found = std::ranges::search(host.lines, saw);
        EXPECT_TRUE(!saw.empty() && !found.empty()) << played.name << " saw\n"
                                                    << ::testing::PrintToString(saw) << "\nof\n"
                                                    << ::testing::PrintToString(host.lines);
        ASSERT_FALSE(saw.empty()) << played.name;
        EXPECT_EQ(saw.front(), played.name + " joined");
        for (const std::string& name : names) {
            if (name == "Host")
                continue;
            const auto count = [&](const std::string& line) {
                return std::ranges::count(saw, name + line);
            };
            EXPECT_EQ(count(" says: hello, I am " + name), 1) << played.name;
            for (const char* at : {"1.0, 0.5", "2.0, 1.0", "3.0, 1.5"})
                EXPECT_EQ(count(std::string(" moved to ") + at), 1) << played.name;
        }
        EXPECT_EQ(std::ranges::count(host.lines, played.name + " left"), 1) << played.name;
    }
    EXPECT_EQ(lobby.finish(SIGTERM), 0);
}

}  // namespace
}  // namespace gdvar::test
