// Processes beside that of a test, which do a part of it.
#pragma once

#include <cstdint>
#include <string>

namespace gdvar::test {

/// A part of a test, for another process. At namespace scope: where no process can be copied, the
/// program is started anew, with the name of the part (main.cpp).
class ChildWork {
public:
    using Work = bool (*)(const std::string& path, int number);
    ChildWork(const char* name, Work work);
    const char* name() const { return name_; }
    bool operator()(const std::string& path, int number) const { return work_(path, number); }

    /// The task that the program was started for; -1: for its tests. Otherwise the status with
    /// which it ends.
    static int run(int count, char** words);

private:
    const char* name_;
    Work work_;
};

/// A process. It is gone when this is.
class Child {
public:
    Child(const ChildWork& work, const std::string& path, int number = 0);
    Child(Child&& other) noexcept;
    Child& operator=(Child&&) = delete;
    ~Child();
    /// Waits for its end. Whether the work returned true.
    bool succeeded();
    /// Ends it at once, whatever it does.
    void kill();

private:
    std::intptr_t process_;
};

}  // namespace gdvar::test
