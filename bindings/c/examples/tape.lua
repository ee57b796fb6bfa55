-- Godot's Variant wire format from LuaJIT, by its FFI: luajit tape.lua LIBRARY FILE
-- Prints the keys of a packet's Dictionary with the types of their values, from the tape.
local ffi = require("ffi")
ffi.cdef([[
typedef struct { const void* data; size_t size; } gdvar_bytes;
typedef struct { const char* data; size_t size; } gdvar_text;
typedef struct { gdvar_text name; uint8_t component, components, packed, widens; } gdvar_type_info;
typedef struct {
    uint16_t code; uint8_t type, source; int32_t system; uint64_t offset, need;
    uint32_t line, column; uint64_t change, detail[8];
} gdvar_error;
typedef struct {
    uint8_t type, flags; uint16_t reserved; uint32_t offset;
    union { uint64_t bits; int64_t integer; double real; struct { uint32_t count, end_; } span; } as;
} gdvar_node;
typedef struct { const gdvar_node* nodes; size_t count; const uint8_t* bytes; size_t size; } gdvar_tape;
typedef struct gdvar_document gdvar_document;
uint32_t gdvar_abi(void);
gdvar_document* gdvar_document_new(void);
void gdvar_document_free(gdvar_document*);
uint16_t gdvar_document_read(gdvar_document*, gdvar_bytes, const void* options, gdvar_error*);
gdvar_tape gdvar_document_tape(const gdvar_document*);
gdvar_type_info gdvar_describe_type(uint8_t type);
size_t gdvar_error_message(const gdvar_error*, char* to, size_t capacity);
]])
local gdvar = ffi.load(arg[1])
assert(gdvar.gdvar_abi() >= 1)

local file = assert(io.open(arg[2], "rb"))
local packet = file:read("*a") -- kept for as long as the document is used
file:close()
-- Freed by hand: at LuaJIT's end the library may be unloaded before a finalizer of ffi.gc calls it.
local document = gdvar.gdvar_document_new()
local failure = ffi.new("gdvar_error")
if gdvar.gdvar_document_read(document, ffi.new("gdvar_bytes", ffi.cast("const char*", packet), #packet), nil, failure) ~= 0 then
    local message = ffi.new("char[200]")
    gdvar.gdvar_error_message(failure, message, 200)
    gdvar.gdvar_document_free(document)
    error(ffi.string(message))
end

local STRING, DICTIONARY, ARRAY, OBJECT = 4, 27, 28, 24
local tape = gdvar.gdvar_document_tape(document)
local function next_sibling(i)
    local node = tape.nodes[i]
    local holds = node.type == DICTIONARY or node.type == ARRAY or (node.type == OBJECT and bit.band(node.flags, 2) ~= 0)
    return holds and node.as.span.end_ or i + 1
end
local i = 1
while tape.nodes[0].type == DICTIONARY and i < tape.nodes[0].as.span.end_ do
    local key, value = tape.nodes[i], next_sibling(i)
    local type_name = gdvar.gdvar_describe_type(tape.nodes[value].type).name
    if key.type == STRING then
        print(ffi.string(tape.bytes + key.offset + 8, key.as.span.count), ffi.string(type_name.data, type_name.size))
    end
    i = next_sibling(value)
end
gdvar.gdvar_document_free(document)
