// Ten structs bound by gdvar: what it costs to compile. scripts/bench measures it.
#include <gdvar/value/binding.hpp>

struct S0 {
    std::string name_0{};
    int level_0{};
    double ratio_0{};
    bool alive_0{};
    std::vector<int> items_0{};
    std::vector<std::string> tags_0{};
};
struct S1 {
    std::string name_1{};
    int level_1{};
    double ratio_1{};
    bool alive_1{};
    std::vector<int> items_1{};
    std::vector<std::string> tags_1{};
    std::vector<S0> inner_1;
};
struct S2 {
    std::string name_2{};
    int level_2{};
    double ratio_2{};
    bool alive_2{};
    std::vector<int> items_2{};
    std::vector<std::string> tags_2{};
    std::vector<S1> inner_2;
};
struct S3 {
    std::string name_3{};
    int level_3{};
    double ratio_3{};
    bool alive_3{};
    std::vector<int> items_3{};
    std::vector<std::string> tags_3{};
    std::vector<S2> inner_3;
};
struct S4 {
    std::string name_4{};
    int level_4{};
    double ratio_4{};
    bool alive_4{};
    std::vector<int> items_4{};
    std::vector<std::string> tags_4{};
    std::vector<S3> inner_4;
};
struct S5 {
    std::string name_5{};
    int level_5{};
    double ratio_5{};
    bool alive_5{};
    std::vector<int> items_5{};
    std::vector<std::string> tags_5{};
    std::vector<S4> inner_5;
};
struct S6 {
    std::string name_6{};
    int level_6{};
    double ratio_6{};
    bool alive_6{};
    std::vector<int> items_6{};
    std::vector<std::string> tags_6{};
    std::vector<S5> inner_6;
};
struct S7 {
    std::string name_7{};
    int level_7{};
    double ratio_7{};
    bool alive_7{};
    std::vector<int> items_7{};
    std::vector<std::string> tags_7{};
    std::vector<S6> inner_7;
};
struct S8 {
    std::string name_8{};
    int level_8{};
    double ratio_8{};
    bool alive_8{};
    std::vector<int> items_8{};
    std::vector<std::string> tags_8{};
    std::vector<S7> inner_8;
};
struct S9 {
    std::string name_9{};
    int level_9{};
    double ratio_9{};
    bool alive_9{};
    std::vector<int> items_9{};
    std::vector<std::string> tags_9{};
    std::vector<S8> inner_9;
};

bool there_and_back(S9& value, gdvar::ByteView from, gdvar::PackedByteArray& to) {
    return gdvar::decode_to(value, from) && gdvar::encode_to(to, value);
}
