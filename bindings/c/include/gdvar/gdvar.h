/* gdvar.h: Godot's Variant wire format for C and for every language that calls C.
 *
 * Values go in and out as packets, or as text; everything else is a handle. Nothing here
 * throws, prints, exits, or reads the environment, and there is no global state. Bytes that are
 * given are borrowed for the call, unless the function says otherwise. Handles are freed by their
 * `_free`, which takes NULL, too.
 *
 * Threads: functions without a handle may be called by any thread at any time. One handle serves
 * one thread at a time, except that several threads may read one gdvar_document (every function
 * that takes it as const) and one gdvar_dialect.
 *
 * Pointers: `error`, `user` and options may be NULL, and so may what a comment says. NULL in place
 * of any other pointer, and options whose `size` no such struct can have, are refused with the code
 * misplaced (source GDVAR_FROM_CALL), and nothing is done; a function without a code gives an empty
 * result. A gdvar_bytes or gdvar_text whose data is NULL is empty, whatever its size. Nothing else
 * about a pointer can be checked: a handle that was freed, or an array shorter than its count, is
 * the caller's fault.
 *
 * Errors: a function that may fail returns a code, 0 for success (the table: docs/errors.md), and
 * fills in `error` unless that is NULL. After an error, outputs are as they were before the call,
 * unless the function says otherwise.
 *
 * ABI: symbols and structs of one SONAME only grow. Option structs begin with their own size, which
 * the caller sets (GDVAR_..._INIT does), so that later members are known to be there or not.
 */
#ifndef GDVAR_GDVAR_H
#define GDVAR_GDVAR_H

#include <stddef.h>
#include <stdint.h>

#if defined(GDVAR_C_STATIC)
#define GDVAR_API
#elif defined(_WIN32) && defined(GDVAR_C_BUILD)
#define GDVAR_API __declspec(dllexport)
#elif defined(_WIN32)
#define GDVAR_API __declspec(dllimport)
#elif defined(__GNUC__)
#define GDVAR_API __attribute__((visibility("default")))
#else
#define GDVAR_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version --------------------------------------------------------------------------------- */

/* The number of this interface. It grows with every addition; the SONAME changes when something is
 * taken away. */
#define GDVAR_C_ABI 17

GDVAR_API uint32_t gdvar_abi(void);        /* GDVAR_C_ABI of the library that was loaded */
GDVAR_API const char* gdvar_version(void); /* "0.1.0": static */

/* ---- plain data ------------------------------------------------------------------------------ */

/* Bytes, or text in UTF-8 (as the dialect has it). Borrowed; never ended by a NUL. */
typedef struct gdvar_bytes {
    const void* data;
    size_t size;
} gdvar_bytes;

typedef struct gdvar_text {
    const char* data;
    size_t size;
} gdvar_text;

/* Types, numbered as gdvar::Type, with Godot 4's names. These numbers are ours; the wire has those
 * of the dialect. */
enum gdvar_type {
    GDVAR_NIL,                   /* Nil */
    GDVAR_BOOL,                  /* bool */
    GDVAR_INT,                   /* int */
    GDVAR_FLOAT,                 /* float */
    GDVAR_STRING,                /* String */
    GDVAR_VECTOR2,               /* Vector2 */
    GDVAR_VECTOR2I,              /* Vector2i */
    GDVAR_RECT2,                 /* Rect2 */
    GDVAR_RECT2I,                /* Rect2i */
    GDVAR_VECTOR3,               /* Vector3 */
    GDVAR_VECTOR3I,              /* Vector3i */
    GDVAR_TRANSFORM2D,           /* Transform2D */
    GDVAR_VECTOR4,               /* Vector4 */
    GDVAR_VECTOR4I,              /* Vector4i */
    GDVAR_PLANE,                 /* Plane */
    GDVAR_QUATERNION,            /* Quaternion */
    GDVAR_AABB,                  /* AABB */
    GDVAR_BASIS,                 /* Basis */
    GDVAR_TRANSFORM3D,           /* Transform3D */
    GDVAR_PROJECTION,            /* Projection */
    GDVAR_COLOR,                 /* Color */
    GDVAR_STRING_NAME,           /* StringName */
    GDVAR_NODE_PATH,             /* NodePath */
    GDVAR_RID,                   /* RID */
    GDVAR_OBJECT,                /* Object */
    GDVAR_CALLABLE,              /* Callable */
    GDVAR_SIGNAL,                /* Signal */
    GDVAR_DICTIONARY,            /* Dictionary */
    GDVAR_ARRAY,                 /* Array */
    GDVAR_PACKED_BYTE_ARRAY,     /* PackedByteArray */
    GDVAR_PACKED_INT32_ARRAY,    /* PackedInt32Array */
    GDVAR_PACKED_INT64_ARRAY,    /* PackedInt64Array */
    GDVAR_PACKED_FLOAT32_ARRAY,  /* PackedFloat32Array */
    GDVAR_PACKED_FLOAT64_ARRAY,  /* PackedFloat64Array */
    GDVAR_PACKED_STRING_ARRAY,   /* PackedStringArray */
    GDVAR_PACKED_VECTOR2_ARRAY,  /* PackedVector2Array */
    GDVAR_PACKED_VECTOR3_ARRAY,  /* PackedVector3Array */
    GDVAR_PACKED_COLOR_ARRAY,    /* PackedColorArray */
    GDVAR_PACKED_VECTOR4_ARRAY,  /* PackedVector4Array */
    GDVAR_PACKED_VECTOR2I_ARRAY, /* PackedVector2iArray */
    GDVAR_PACKED_VECTOR3I_ARRAY, /* PackedVector3iArray */
    GDVAR_PACKED_VECTOR4I_ARRAY, /* PackedVector4iArray */
    GDVAR_PACKED_TYPED_ARRAY,    /* PackedTypedArray */
    GDVAR_IMAGE,                 /* Image */
    GDVAR_INPUT_EVENT,           /* InputEvent */
    GDVAR_TYPE_COUNT
};

/* The type of one component of a math value, or of an element of a packed array. */
enum gdvar_component { GDVAR_NO_COMPONENT, GDVAR_U8, GDVAR_I32, GDVAR_I64, GDVAR_F32, GDVAR_F64 };

/* The facts about a type that hold in every dialect. */
typedef struct gdvar_type_info {
    gdvar_text name;    /* Godot 4's own: "Vector2", "PackedByteArray", "int" */
    uint8_t component;  /* gdvar_component of the 32-bit form, for math values and packed arrays */
    uint8_t components; /* of a value (math) or of one element (packed) */
    uint8_t packed;     /* 1: a packed array of numbers */
    uint8_t widens;     /* 1: the components may be 64-bit floats */
} gdvar_type_info;
/* Errors: none; a number that is no type gives an empty name. */
GDVAR_API gdvar_type_info gdvar_describe_type(uint8_t type);

/* ---- errors ---------------------------------------------------------------------------------- */

/* The origin of a gdvar_error, which says which members have a meaning. */
enum gdvar_error_source {
    GDVAR_FROM_PACKET, /* offset and need in bytes of the packet (or of the output that was being
                          written) */
    GDVAR_FROM_TEXT,   /* offset in the text in bytes, line and column from 1 */
    GDVAR_FROM_FILE,   /* offset in the file; system: the number of errno, for GDVAR_IO; line and
                          column from 1 if it is a text (from GDVAR_C_ABI 15 on), else 0 */
    GDVAR_FROM_PATCH,  /* change: the number of the change that does not fit, or SIZE_MAX */
    GDVAR_FROM_CALL    /* the call itself: an argument that is not allowed */
};

/* Why something was refused. Plain data: copy it, keep it, drop it. */
typedef struct gdvar_error {
    uint16_t code;  /* 0: no error. The numbers of docs/errors.md */
    uint8_t type;   /* gdvar_type that was being read or written, or that was found */
    uint8_t source; /* gdvar_error_source */
    int32_t system;
    uint64_t offset;
    uint64_t need; /* truncated, buffer_full: at least so many more bytes are needed; else 0 */
    uint32_t line, column;
    uint64_t change;
    uint64_t detail[8]; /* for gdvar_error_message alone */
} gdvar_error;

/* The message, "0x10: error[truncated]: ...". Writes at most `capacity` bytes, of which the last is
 * a NUL, and returns the size of the whole message without the NUL. `to` may be NULL. */
GDVAR_API size_t gdvar_error_message(const gdvar_error* error, char* to, size_t capacity);
/* "truncated": static, ended by a NUL; "" for a number that is no code. */
GDVAR_API const char* gdvar_error_name(uint16_t code);
/* "bytes", "options", "writing", ...: the kind of a code (docs/errors.md). Static, ended by a NUL.
 */
GDVAR_API const char* gdvar_error_kind(uint16_t code);
/* "The bytes end before the value does.": what a code says, as docs/errors.md has it. Static, ended
 * by a NUL; "" for a number that is no code. From GDVAR_C_ABI 17 on. */
GDVAR_API const char* gdvar_error_meaning(uint16_t code);
/* The number of a code by its name; UINT16_MAX if there is none. */
GDVAR_API uint16_t gdvar_error_code(const char* name);

/* ---- buffers --------------------------------------------------------------------------------- */

/* Bytes that the library writes and owns. Functions append to it; `clear` keeps its memory. The
 * arguments of a call must not lie in the buffer that it writes. */
typedef struct gdvar_buffer gdvar_buffer;
GDVAR_API gdvar_buffer* gdvar_buffer_new(void); /* NULL: out of memory */
GDVAR_API void gdvar_buffer_free(gdvar_buffer* buffer);
/* Valid until the buffer is next written, cleared or freed. */
GDVAR_API gdvar_bytes gdvar_buffer_bytes(const gdvar_buffer* buffer);
GDVAR_API void gdvar_buffer_clear(gdvar_buffer* buffer);

/* ---- dialects and options -------------------------------------------------------------------- */

/* One engine family's rules. Built in: never freed. */
typedef struct gdvar_dialect gdvar_dialect;
/* By name or alias ("godot-4.4", "godot3", "pandemonium-4"), ended by a NUL. NULL if there is none.
 * A dialect that is NULL means godot-4.4 to every function that takes one. */
GDVAR_API const gdvar_dialect* gdvar_find_dialect(const char* name);
/* All of them, newest Godot first, the pages' last; NULL from the last on. */
GDVAR_API const gdvar_dialect* gdvar_dialect_at(size_t index);
GDVAR_API gdvar_text gdvar_dialect_name(const gdvar_dialect* dialect);
GDVAR_API gdvar_text gdvar_dialect_title(const gdvar_dialect* dialect);
/* Whether values of the type can be written. */
GDVAR_API int gdvar_dialect_has(const gdvar_dialect* dialect, uint8_t type);

enum gdvar_option_flags {
    GDVAR_ALLOW_OBJECTS = 1,  /* Objects in full, as inert data; ids always pass */
    GDVAR_STRICT = 2,         /* refuse what no engine would write */
    GDVAR_NODE_PATH_TEXT = 4, /* also read NodePath's old text form */
    GDVAR_WIDE_PAGE = 8,  /* page dialects: every Float field has 8 bytes; the others ignore it */
    GDVAR_ANY_SCRIPT = 16 /* any value may be the script of an Object in full, as in values out of
                             resources: the dialect of their saves (gdvar_save_dialect) has this
                             rule. From GDVAR_C_ABI 11 on */
};

/* How packets are read and written. */
typedef struct gdvar_options {
    uint32_t size;                /* of this struct: sizeof(gdvar_options) */
    uint32_t flags;               /* gdvar_option_flags */
    const gdvar_dialect* dialect; /* NULL: godot-4.4 */
    uint32_t max_depth;           /* open containers around a value; the engines have 1024 */
    uint32_t reserved;
    uint64_t max_bytes; /* of one packet */
    uint64_t max_nodes; /* values in one packet */
} gdvar_options;
/* The engines' own limits, which NULL for options means, too. */
#define GDVAR_OPTIONS_INIT {sizeof(gdvar_options), 0, NULL, 1024, 0, UINT32_MAX, UINT64_MAX}
/* Tight limits, for packets from peers that nobody vouches for: depth 64, 1 MiB, 65,536 values. */
#define GDVAR_OPTIONS_NETWORK_INIT {sizeof(gdvar_options), 0, NULL, 64, 0, 1u << 20, 1u << 16}

/* ---- packets --------------------------------------------------------------------------------- */

/* Checks the packet at the start of `bytes` and makes nothing. `size`, if not NULL, receives the
 * bytes that it took. */
GDVAR_API uint16_t gdvar_validate(gdvar_bytes bytes, const gdvar_options* options, size_t* size,
                                  gdvar_error* error);
/* Appends the path of the value in which reading `bytes` fails with `error`: "$.players[3]".
 * `error` may also be that of gdvar_lookup, gdvar_set, gdvar_erase or gdvar_convert for this
 * packet: the path is that of the value in the packet that was refused. Or it may be the caller's
 * own, with the offset of a gdvar_node in a packet that is sound. */
GDVAR_API uint16_t gdvar_error_path(gdvar_bytes bytes, const gdvar_options* options,
                                    const gdvar_error* error, gdvar_buffer* path);

/* ---- the tape: a packet's values as an array ------------------------------------------------- */

enum gdvar_node_flags {
    GDVAR_WIDE = 1,     /* math values and packed arrays: 64-bit floats */
    GDVAR_FULL = 2,     /* an Object with class and properties */
    GDVAR_ID = 4,       /* an Object as an id, in `as.bits` */
    GDVAR_PROPERTY = 8, /* not a value: the name of the property whose value follows */
    GDVAR_COPIED = 16   /* a math value whose components are in the nodes that follow it */
};

/* One value, or one property name, of a packet: 16 bytes. Nodes stand in the order of the bytes. A
 * container's children follow it; what follows its last descendant, at `as.span.end`, is its next
 * sibling.
 *
 *   type                       as           in the packet
 *   Nil, Callable              -            -
 *   bool                       bits         0 or 1
 *   int, float, RID            integer, real, bits
 *   String, StringName         span.count   that many bytes of text at offset + 8
 *   math values                -            components at offset + 4 (but see GDVAR_COPIED)
 *   packed arrays of numbers   span.count   elements at offset + 8
 *   PackedStringArray          span.count   gdvar_node_texts
 *   NodePath                   -            gdvar_node_texts, gdvar_node_path
 *   Array, PackedTypedArray    span         `count` values follow; gdvar_node_types
 *   Dictionary                 span         `count` keys and values follow; gdvar_node_types
 *   Object, GDVAR_FULL         span         `count` names and values follow; gdvar_node_name
 *   a name, GDVAR_PROPERTY     span.count   that many bytes of text at offset + 4
 *   Object, GDVAR_ID           bits         the id
 *   Object, neither            -            null
 *   Signal                     bits         the object's id; gdvar_node_name
 *   Image                      -            gdvar_node_image
 *   InputEvent                 -            gdvar_node_input_event
 *
 * Numbers in the packet are little-endian and unaligned.
 */
typedef struct gdvar_node {
    uint8_t type;      /* gdvar_type */
    uint8_t flags;     /* gdvar_node_flags */
    uint16_t reserved; /* the library's own, and it may change while others read: do not look */
    uint32_t offset;   /* of the value's header in the packet; of a property name's length */
    union {
        uint64_t bits;
        int64_t integer;
        double real;
        struct {
            uint32_t count, end;
        } span;
    } as;
} gdvar_node;

/* A packet, read and checked once. Reading another packet into it reuses its memory and ends all
 * that was borrowed. */
typedef struct gdvar_document gdvar_document;
GDVAR_API gdvar_document* gdvar_document_new(void); /* NULL: out of memory */
GDVAR_API void gdvar_document_free(gdvar_document* document);
/* Reads the packet at the start of `bytes`, which the caller keeps as they are for as long as the
 * document is used. After an error the document is empty. Memory: 16 bytes a value. */
GDVAR_API uint16_t gdvar_document_read(gdvar_document* document, gdvar_bytes bytes,
                                       const gdvar_options* options, gdvar_error* error);
/* The same, with a copy of the bytes that the document keeps. */
GDVAR_API uint16_t gdvar_document_read_copy(gdvar_document* document, gdvar_bytes bytes,
                                            const gdvar_options* options, gdvar_error* error);

/* A document's nodes and bytes, borrowed from it. An empty document has no nodes. */
typedef struct gdvar_tape {
    const gdvar_node* nodes;
    size_t count;
    const uint8_t* bytes; /* of the packet */
    size_t size;          /* that the packet took */
} gdvar_tape;
GDVAR_API gdvar_tape gdvar_document_tape(const gdvar_document* document);

#define GDVAR_NO_NODE UINT32_MAX

/* For the functions below `node` is an index on the tape, though not of the components behind a
 * GDVAR_COPIED. A node of another type, or an index off the tape, gives empty results. Results
 * are borrowed from the document. */

/* Exactly the bytes of the value: a packet of its own. */
GDVAR_API gdvar_bytes gdvar_node_bytes(const gdvar_document* document, uint32_t node);
/* Text of a String or StringName, a property's name, an Object's class, a Signal's name. */
GDVAR_API gdvar_text gdvar_node_name(const gdvar_document* document, uint32_t node);
/* The components of a math value, or the elements of a packed array, back to back, unaligned. */
typedef struct gdvar_numbers {
    const void* data;
    uint32_t count;     /* elements; 1 for a math value */
    uint8_t components; /* of an element */
    uint8_t component;  /* gdvar_component */
    uint8_t host_order; /* 1: in the host's byte order, else little-endian */
    uint8_t reserved;
} gdvar_numbers;
GDVAR_API gdvar_numbers gdvar_node_numbers(const gdvar_document* document, uint32_t node);
/* The texts of a PackedStringArray, or the names and then the subnames of a NodePath. Writes the
 * first `capacity` and returns how many there are. `to` may be NULL. */
GDVAR_API size_t gdvar_node_texts(const gdvar_document* document, uint32_t node, gdvar_text* to,
                                  size_t capacity);
typedef struct gdvar_node_path_info {
    uint32_t names, subnames;
    uint8_t absolute;          /* 1: it begins with "/" */
    uint8_t separate_property; /* 1: the last subname was written as Godot 2's separate property */
    uint8_t is_text;           /* 1: it stood as text, as in old packets */
    uint8_t reserved;
} gdvar_node_path_info;
GDVAR_API gdvar_node_path_info gdvar_node_path(const gdvar_document* document, uint32_t node);

/* The type that a typed Array's elements, or a typed Dictionary's keys or values, must have. */
enum gdvar_container_kind { GDVAR_UNTYPED, GDVAR_BUILTIN, GDVAR_CLASS_NAME, GDVAR_SCRIPT };
typedef struct gdvar_container_type {
    uint8_t kind; /* gdvar_container_kind */
    uint8_t type; /* gdvar_type, for GDVAR_BUILTIN; else GDVAR_OBJECT */
    gdvar_text name;
} gdvar_container_type;
/* An Array's element type in `first`; a Dictionary's key type in `first` and value type in
 * `second`. `first` and `second` may be NULL. */
GDVAR_API void gdvar_node_types(const gdvar_document* document, uint32_t node,
                                gdvar_container_type* first, gdvar_container_type* second);
/* Godot 1's and 2's Image and InputEvent. */
typedef struct gdvar_image {
    uint32_t format, mipmaps, width, height;
    gdvar_bytes data;
} gdvar_image;
GDVAR_API gdvar_image gdvar_node_image(const gdvar_document* document, uint32_t node);
typedef struct gdvar_input_event {
    uint32_t type, device, words[2];
    uint32_t word_count; /* as many of `words` as an event of that type has */
} gdvar_input_event;
GDVAR_API gdvar_input_event gdvar_node_input_event(const gdvar_document* document, uint32_t node);

/* The value for a String or StringName key of a Dictionary, or of an Object's property: the last of
 * equal ones, as engines read it. GDVAR_NO_NODE if there is none. Large containers get an index at
 * the fifth search. */
GDVAR_API uint32_t gdvar_find_text(const gdvar_document* document, uint32_t node, gdvar_text key);
/* Element `index` of an Array, or the value for that int key of a Dictionary. */
GDVAR_API uint32_t gdvar_find_index(const gdvar_document* document, uint32_t node, int64_t index);

/* ---- paths ----------------------------------------------------------------------------------- */

/* Whether a path (docs/paths.md) may lead to several values: `*several` becomes 1 if it has `[*]`,
 * a slice, `..` or `#*`, else 0. Errors: bad_path, of source GDVAR_FROM_TEXT, with the place in the
 * path. */
GDVAR_API uint16_t gdvar_path_several(gdvar_text path, int* several, gdvar_error* error);

/* A value that a path leads to. Valid during the call. */
typedef struct gdvar_match {
    gdvar_text path;    /* "$.players[3].hp" */
    gdvar_bytes packet; /* the value's bytes: a packet of its own, in the document's dialect */
    uint32_t node;      /* on the tape; GDVAR_NO_NODE for a part of a value (`.pos.x`) */
} gdvar_match;
/* Return 0 to stop. */
typedef int (*gdvar_match_use)(void* user, const gdvar_match* match);
/* Gives every value at the path (docs/paths.md: `$.players[*].hp`, `$..pos`) in the order of the
 * bytes. `count`, if not NULL, receives how many were given. Errors: bad_path, missing_key,
 * index_out_of_range, wrong_type. */
GDVAR_API uint16_t gdvar_lookup(const gdvar_document* document, gdvar_text path,
                                gdvar_match_use use, void* user, size_t* count, gdvar_error* error);
/* The same from the value of a node, which is `$` in `path` and in the paths that are given.
 * Errors: those of gdvar_lookup; missing_key also for an index that is no value's. */
GDVAR_API uint16_t gdvar_lookup_from(const gdvar_document* document, uint32_t node, gdvar_text path,
                                     gdvar_match_use use, void* user, size_t* count,
                                     gdvar_error* error);

/* The permission that a refused change needs. */
enum gdvar_needs {
    GDVAR_NEEDS_ANOTHER_VALUE, /* the value does not fit the place; no flag helps */
    GDVAR_NEEDS_CREATE,        /* GDVAR_SET_CREATE */
    GDVAR_NEEDS_TYPE,          /* GDVAR_SET_TYPE */
    GDVAR_NEEDS_APPEND,        /* `[+]` in place of an index behind the end */
    GDVAR_NEEDS_ANOTHER_PATH   /* the path leads nowhere; no flag helps */
};
/* Why something was refused, in words. Texts are valid during the call. */
typedef struct gdvar_refusal {
    uint16_t code;
    uint8_t needs;   /* gdvar_needs */
    uint8_t type;    /* gdvar_type of the value that does not fit, or of what stands at `at` if the
                        path leads nowhere */
    gdvar_text at;   /* the path as far as it leads: "$.players[3]", "#2 $.hp" */
    gdvar_text what; /* "no .hpp (did you mean .hp?)", "this is a float, the value is a String" */
} gdvar_refusal;
typedef void (*gdvar_refusal_use)(void* user, const gdvar_refusal* refusal);
/* Why gdvar_lookup finds nothing at `path`. Returns its error's code, or 0, without a call of
 * `use`, if it finds something. `use` may be NULL. */
GDVAR_API uint16_t gdvar_explain_path(const gdvar_document* document, gdvar_text path,
                                      gdvar_refusal_use use, void* user);

/* ---- writing: a tree as an array ------------------------------------------------------------- */

enum gdvar_item_flags {
    GDVAR_ITEM_WIDE = 1,      /* math values and packed arrays: 64-bit floats */
    GDVAR_ITEM_FULL = 2,      /* an Object with class and properties */
    GDVAR_ITEM_ID = 4,        /* an Object as an id, in `as.bits` */
    GDVAR_ITEM_TYPED = 8,     /* an Array or Dictionary with types */
    GDVAR_ITEM_ABSOLUTE = 16, /* a NodePath that begins with "/" */
    GDVAR_ITEM_PROPERTY = 32, /* a NodePath whose last subname is Godot 2's separate property */
    GDVAR_ITEM_LITTLE = 64,   /* numbers are little-endian on every host */
    GDVAR_ITEM_UTF8 = 128 /* a String or StringName that the caller knows to be UTF-8, by Unicode's
                             own rule: it is not checked again. If it is not, engines refuse it */
};

/* One value to be written, or a part of one: 16 bytes. A whole tree is an array of items in the
 * order of the bytes.
 *
 *   type                       count            as               what follows
 *   Nil, Callable              -                -
 *   bool, int, float, RID      -                bits, integer, real, bits
 *   String, StringName         bytes            data
 *   math values                -                data: components, back to back
 *   packed arrays of numbers   elements         data: the same
 *   PackedStringArray          texts            -                that many Strings
 *   NodePath                   names+subnames   bits: subnames   that many Strings
 *   Array                      elements         -                [a type], the elements
 *   PackedTypedArray           elements         -                a type, the elements
 *   Dictionary                 pairs            -                [two types], keys and values
 *   Object, GDVAR_ITEM_FULL    properties       -                a String (its class), then
 *                                                                Strings (names) and values
 *   Object, GDVAR_ITEM_ID      -                bits: the id
 *   Object, neither            -                -
 *   Signal                     -                bits: the id     a String, its name
 *   Image                      -                data: a gdvar_image
 *   InputEvent                 -                data: a gdvar_input_event
 *
 * Types in brackets are there with GDVAR_ITEM_TYPED. Numbers are in the host's byte order, or
 * little-endian with GDVAR_ITEM_LITTLE.
 *
 * An item for a type has a gdvar_container_kind in `flags`, the type in `type`, and the class name
 * or script path in `count` and `as.data`. */
typedef struct gdvar_item {
    uint8_t type;  /* gdvar_type */
    uint8_t flags; /* gdvar_item_flags */
    uint16_t reserved;
    uint32_t count;
    union {
        uint64_t bits;
        int64_t integer;
        double real;
        const void* data;
    } as;
} gdvar_item;

/* Appends the packet of one tree of `count` items to `to`. `path`, if not NULL, receives the path
 * of what was refused. Errors: not_in_dialect, objects_forbidden, bad_utf8, too_large, depth_limit,
 * too_few_items (the array ends within the tree), misplaced (an item that may not stand there, one
 * whose data is NULL, or items behind the tree), no_memory; offsets count from the packet's start.
 */
GDVAR_API uint16_t gdvar_encode(const gdvar_item* items, size_t count, const gdvar_options* options,
                                gdvar_buffer* to, gdvar_error* error, gdvar_buffer* path);

/* ---- text and JSON --------------------------------------------------------------------------- */

enum gdvar_form {
    GDVAR_TEXT,       /* as the dialect's engine prints it: var_to_str */
    GDVAR_TEXT_FULL,  /* our own lossless form */
    GDVAR_JSON,       /* typed JSON, lossless, in the shape of JSON.from_native */
    GDVAR_PLAIN_JSON, /* for other tools; loses types */
    /* As these engines print it, whatever the dialect: Godot 3.2 has the dialect of 3.6, and
     * another text. From GDVAR_C_ABI 11 on. */
    GDVAR_TEXT_3_2,
    GDVAR_TEXT_3_6,
    GDVAR_TEXT_4, /* 4.5 and later */
    GDVAR_TEXT_PANDEMONIUM,
    /* From GDVAR_C_ABI 14 on: */
    GDVAR_TEXT_2,
    GDVAR_TEXT_4_0 /* 4.0 to 4.4: floats have six digits */
};
/* A value that could not be kept: where, what, and what stands for it. `path` and texts are valid
 * during the call. A path of more than 1000 bytes is cut in the middle. */
typedef struct gdvar_loss {
    gdvar_text path;
    gdvar_text what;         /* "StringName does not exist in godot-3.1" */
    gdvar_text substitution; /* "becomes a String"; may be empty */
    uint8_t type;            /* gdvar_type of the value; GDVAR_NIL where it is not known */
} gdvar_loss;
typedef void (*gdvar_loss_use)(void* user, const gdvar_loss* loss);

/* Appends a value as text. `indent`: spaces for each level; 0: one line (GDVAR_TEXT has lines of
 * its own). `losses`, for GDVAR_PLAIN_JSON, may be NULL. */
GDVAR_API uint16_t gdvar_print(const gdvar_document* document, uint32_t node, int form, int indent,
                               gdvar_buffer* to, gdvar_loss_use losses, void* user,
                               gdvar_error* error);
/* Reads a value from text, as the options' dialect's engine does, and appends it as a packet of
 * that dialect. The whole text must be the value. An engine reads numbers that do not fit as others
 * (`99999999999999999999`, `1e400`, `PackedByteArray(256)`): with GDVAR_STRICT they are refused
 * (bad_number). */
GDVAR_API uint16_t gdvar_parse(gdvar_text text, int form, const gdvar_options* options,
                               gdvar_buffer* to, gdvar_error* error);
/* The same; `path`, if not NULL, receives the path of a value that can't be written in the dialect
 * (an error of source GDVAR_FROM_PACKET). */
GDVAR_API uint16_t gdvar_parse_with_path(gdvar_text text, int form, const gdvar_options* options,
                                         gdvar_buffer* to, gdvar_error* error, gdvar_buffer* path);

/* ---- looking into packets -------------------------------------------------------------------- */

/* One field of a packet. Texts are valid during the call. */
typedef struct gdvar_row {
    uint64_t offset, size; /* size 0: the row that reports the break */
    gdvar_text path;       /* "$.players[3].pos" */
    gdvar_text type;       /* "Vector3", "header", "count", "padding" */
    gdvar_text value, note;
} gdvar_row;
typedef void (*gdvar_row_use)(void* user, const gdvar_row* row);
/* Gives every field of the packet, without a gap, and what follows the packet as one row; on broken
 * input all up to the break, the bytes behind it, and the reason. Returns the verdict of reading,
 * after all rows were given. `size`, if not NULL, receives the bytes that the packet took. */
GDVAR_API uint16_t gdvar_annotate(gdvar_bytes bytes, const gdvar_options* options,
                                  gdvar_row_use use, void* user, size_t* size, gdvar_error* error);

/* Something odd that is accepted, as engines accept it. */
typedef struct gdvar_quirk {
    gdvar_text name; /* static */
    gdvar_text path;
    uint64_t offset;
} gdvar_quirk;
typedef void (*gdvar_quirk_use)(void* user, const gdvar_quirk* quirk);
/* Quirks of the packet at the start of `bytes` (docs/errors.md, "Quirks"): all that strict reading
 * would refuse, and all that engines read as something else. Gives the first
 * `most` quirks, in the order of the bytes, if `use` is not NULL; `count`, if not NULL, receives
 * how many there are. */
GDVAR_API uint16_t gdvar_check(gdvar_bytes bytes, const gdvar_options* options, size_t most,
                               gdvar_quirk_use use, void* user, uint64_t* count,
                               gdvar_error* error);

/* How one dialect reads the packets. */
typedef struct gdvar_candidate {
    const gdvar_dialect* dialect;
    int32_t fits; /* 1: every packet is read, with nothing left over */
    int64_t score;
    uint64_t oddities; /* things that this dialect's engines would not have written */
    gdvar_text reason; /* "decodes as godot-4.4 with nothing left"; valid during the call */
} gdvar_candidate;
typedef void (*gdvar_candidate_use)(void* user, const gdvar_candidate* candidate);
/* The most plausible dialect of the packets, or NULL: none fits (or out of memory). `ambiguous`, if
 * not NULL, receives whether others fit as well. `use` may be NULL. */
GDVAR_API const gdvar_dialect* gdvar_guess(const gdvar_bytes* packets, size_t count,
                                           gdvar_candidate_use use, void* user, int* ambiguous);

/* ---- converting, editing, comparing ---------------------------------------------------------- */

/* Appends the packet in the dialect of `to_options`, substitutions made; `losses` is called for
 * each. The last of the pairs whose keys are the same in that dialect stays, and each other one is
 * a loss: the result decodes strictly. A caller that must not lose anything drops the result if
 * there were any. `losses` may be NULL; with it, memory grows by a path for each of them. */
GDVAR_API uint16_t gdvar_convert(gdvar_bytes packet, const gdvar_options* from_options,
                                 const gdvar_options* to_options, gdvar_buffer* to,
                                 gdvar_loss_use losses, void* user, gdvar_error* error);
/* Appends the packet with the value of the packet `value` at `path`; every other byte stays. Adds a
 * key, property or next element that is not there. A `value` that gdvar_validate refuses has the
 * same error here. */
GDVAR_API uint16_t gdvar_set(gdvar_bytes packet, gdvar_text path, gdvar_bytes value,
                             const gdvar_options* options, gdvar_buffer* to, gdvar_error* error);
/* Appends the packet without the element, pair or property at `path`. */
GDVAR_API uint16_t gdvar_erase(gdvar_bytes packet, gdvar_text path, const gdvar_options* options,
                               gdvar_buffer* to, gdvar_error* error);
/* Appends the differences as a patch: a packet in godot-4.4 that holds an Array of Dictionaries
 * (docs/patch.md). */
GDVAR_API uint16_t gdvar_diff(const gdvar_document* from, const gdvar_document* to,
                              gdvar_buffer* patch, gdvar_error* error);
/* Appends the packet with the changes of a patch; bytes that no change touches stay. */
GDVAR_API uint16_t gdvar_patch(gdvar_bytes packet, gdvar_bytes patch, const gdvar_options* options,
                               gdvar_buffer* to, gdvar_error* error);
/* Appends the path of a patch's change: "$.players[3].hp" for gdvar_error.change. Errors: those of
 * reading `patch`; index_out_of_range. */
GDVAR_API uint16_t gdvar_change_path(gdvar_bytes patch, uint64_t change, gdvar_buffer* path,
                                     gdvar_error* error);

/* ---- options and kinds of saves -------------------------------------------------------------- */

/* A password or key that may open a save, and what results call it. */
typedef struct gdvar_named_key {
    gdvar_text name;
    gdvar_text password; /* empty: there is a key */
    gdvar_bytes key;     /* 32 bytes, or 64 hex digits */
} gdvar_named_key;

/* How a save is opened. The library fills in the members that a smaller `size` leaves out. */
typedef struct gdvar_save_options {
    uint32_t size;                /* of this struct */
    uint32_t flags;               /* gdvar_save_flags, GDVAR_ALLOW_OBJECTS, GDVAR_STRICT,
                                     GDVAR_WIDE_PAGE */
    const gdvar_dialect* dialect; /* NULL: guessed from the values */
    gdvar_text password;          /* for encrypted saves; empty: none */
    gdvar_bytes key;              /* 32 bytes in place of a password; empty: none */
    uint64_t max_bytes;           /* that a layer may declare, and that are read into memory */
    uint32_t lock_wait_ms;        /* how long a lock of others is waited for; then io, with errno
                                     EAGAIN */
    uint32_t reserved;
    /* From GDVAR_C_ABI 8 on: */
    gdvar_text as;               /* what the innermost layer holds (gdvar_kind_at: "json"), or a
                                    layer that has no magic ("deflate", "brotli"); empty: what is
                                    found. Another name: bad_mode */
    const gdvar_named_key* keys; /* tried one after the other where there is no password or key */
    size_t key_count;
    const gdvar_text* inside; /* paths of Strings and PackedByteArrays whose content is opened as
                                 the save: "$.data", each in what was found so far */
    size_t inside_count;
    uint64_t max_layers; /* no more are opened */
    uint64_t skip;       /* bytes before the save, which stay as they are */
    /* From GDVAR_C_ABI 9 on: */
    const gdvar_text* entries; /* files of a pack (PCK) or of a browser's export to open, each in
                                  what was found so far: "res://data.save", "#2". They are only read
                                */
    size_t entry_count;
    /* From GDVAR_C_ABI 10 on: */
    uint64_t max_text; /* of a text inside of layers, which takes up to 100 times as much memory
                          when it is read; or the size of the file, if that is more. Its values: one
                          for each 8 bytes of this */
} gdvar_save_options;
enum gdvar_save_flags {
    GDVAR_NO_LOCK = 1 << 16, /* has no effect from GDVAR_C_ABI 15 on: reading takes no lock */
    GDVAR_NO_INSIDE =
        1 << 17, /* a value that is all of a save, and holds a document, stays closed */
    GDVAR_ALL_READINGS = 1 << 18, /* gdvar_save_findings: all that the document may be */
    GDVAR_NO_PARTIAL = 1 << 19,   /* gdvar_recover: values that break off are left out */
    GDVAR_LOCK = 1 << 20 /* gdvar_save_open locks the file before it reads it; other programs
                            that lock it wait until it is written or freed. Else it is locked
                            from the first change on, if it is free then. From GDVAR_C_ABI 15
                            on; before, it was always so */
};
#define GDVAR_SAVE_OPTIONS_INIT  \
    {sizeof(gdvar_save_options), \
     0,                          \
     NULL,                       \
     {NULL, 0},                  \
     {NULL, 0},                  \
     256u << 20,                 \
     30000,                      \
     0,                          \
     {NULL, 0},                  \
     NULL,                       \
     0,                          \
     NULL,                       \
     0,                          \
     UINT64_MAX,                 \
     0,                          \
     NULL,                       \
     0,                          \
     32u << 20}

/* The document inside a save's layers: packets, or a text whose values are made into packets. */
typedef struct gdvar_kind {
    gdvar_text name; /* static: "packet", "packets", "records", "records-be", "project", "resource",
                        "json", "json-lines", "config", "text", "binary-resource" */
    uint8_t text;    /* 1: it is text, of which only what changes is written anew */
    uint8_t named;   /* 1: its values are found by name (settings) */
    uint8_t several; /* 1: it may have any number of values */
    uint8_t made;    /* 1: its packets are no bytes of it; Objects in them need no flag */
    uint8_t only_read; /* 1: it can't be changed or written */
    uint8_t reserved[3];
} gdvar_kind;
/* All kinds; an empty name from the last on. */
GDVAR_API gdvar_kind gdvar_kind_at(size_t index);
/* The names of all layers: "gcpf", "gdec-3", "gzip", ...; empty from the last on. Static. */
GDVAR_API gdvar_text gdvar_layer_name_at(size_t index);

/* ---- saves ----------------------------------------------------------------------------------- */

/* A whole save: opened in any layers, changed by path, written back in the same layers. */
typedef struct gdvar_save gdvar_save;
/* `path` is a file's name, ended by a NUL. On success `*save` is the caller's to free. */
GDVAR_API uint16_t gdvar_save_open(const char* path, const gdvar_save_options* options,
                                   gdvar_save** save, gdvar_error* error);
/* From bytes, which are copied. */
GDVAR_API uint16_t gdvar_save_read(gdvar_bytes bytes, const gdvar_save_options* options,
                                   gdvar_save** save, gdvar_error* error);
GDVAR_API void gdvar_save_free(gdvar_save* save);
GDVAR_API const gdvar_dialect* gdvar_save_dialect(const gdvar_save* save);
/* The layers from the outermost inwards, with spaces between them: "base64 gdec-4 gcpf-zstd";
 * appended to `to`. */
GDVAR_API uint16_t gdvar_save_layers(const gdvar_save* save, gdvar_buffer* to, gdvar_error* error);
GDVAR_API gdvar_kind gdvar_save_kind(const gdvar_save* save);
/* Appends the whole stack: "gdec-3 > gzip > godot-3.1 records", "json > string at $.data > config".
 */
GDVAR_API uint16_t gdvar_save_stack(const gdvar_save* save, gdvar_buffer* to, gdvar_error* error);
/* 1: it can't be changed or written: a binary resource, a file in a pack or a browser's export. */
GDVAR_API int gdvar_save_only_read(const gdvar_save* save);
/* Whether all of the save is sound, as the exit code of `gdvar check` tells: each value is read to
 * its end, as the options say, and nothing stands behind a value, the last record or a layer.
 * Opening a save does not ask for this. Errors, of the first value that is not sound: those of
 * gdvar_validate; trailing_bytes. The offset counts from the packet's start. `path`, if not NULL,
 * receives its place. From GDVAR_C_ABI 13 on. */
GDVAR_API uint16_t gdvar_save_check(const gdvar_save* save, gdvar_error* error, gdvar_buffer* path);

/* ---- what saves are -------------------------------------------------------------------------- */

#define GDVAR_NO_LAYER UINT32_MAX
/* One reading of some bytes: a kind that they may be, or are not, and why. */
typedef struct gdvar_reading {
    gdvar_text name;   /* of a layer or kind; "unknown": a value that holds a document */
    gdvar_text reason; /* "a JSON object with 3 members"; "12:3: expected ':'" */
} gdvar_reading;
/* One layer or one document of a stack. Valid during the call. */
typedef struct gdvar_finding {
    gdvar_text name;        /* "gdec-4", "string", "records" */
    gdvar_text reason;      /* "3 records cover the 2916 bytes exactly" */
    gdvar_text at;          /* of a value: where it stands, "#0 $.data"; empty: the only value. Of
                               a pack: the name of the file that is inside */
    gdvar_text opened_with; /* the name of the one of `keys` that fitted; else empty */
    const gdvar_reading* others; /* what else it may be, the most plausible first */
    size_t other_count;
    const gdvar_reading* ruled_out; /* what it looks like and is not, with the reason */
    size_t ruled_out_count;
    uint32_t layer; /* its number among the layers; GDVAR_NO_LAYER: a document */
    uint32_t reserved;
} gdvar_finding;
typedef void (*gdvar_finding_use)(void* user, const gdvar_finding* finding);
/* Gives what a save was found to be: each layer, and each document, from the outermost inwards. */
GDVAR_API uint16_t gdvar_save_findings(const gdvar_save* save, gdvar_finding_use use, void* user,
                                       gdvar_error* error);
/* The same for bytes of any kind, of which the values are not read. Also gives what was found up to
 * an error: bad_key (encrypted, and none of the keys fits), bad_checksum, truncated, ... Bytes in
 * no known format are no error: the last finding has the name "foreign" or "unknown". `use` and
 * `stack` may be NULL; the stack is without the dialect and keeps what was appended after an error.
 */
GDVAR_API uint16_t gdvar_identify(gdvar_bytes bytes, const gdvar_save_options* options,
                                  gdvar_finding_use use, void* user, gdvar_buffer* stack,
                                  gdvar_error* error);
/* A place of a save at which engines run, load or make something when they open it. Valid during
 * the call. */
typedef struct gdvar_code {
    gdvar_text kind; /* "embedded_script", "loaded_script", "outside_file", "made_object": static */
    gdvar_text path; /* `$.sub["1"]`, `#2 $.pet.script` */
    gdvar_text what; /* the class, the file, or the reference: "GDScript", "res://pet.gd" */
} gdvar_code;
typedef void (*gdvar_code_use)(void* user, const gdvar_code* code);
/* Names the scripts in a save, embedded or loaded, the files that it has loaded from outside of the
 * game, and its Objects of classes that are not known to be harmless (docs/my-save.md). Objects are
 * looked at even where they are refused. Gives the first `most` places in the order of the values;
 * `count` receives how many there are. `use` and `count` may be NULL. Errors: those of reading a
 * value. From GDVAR_C_ABI 11 on. */
GDVAR_API uint16_t gdvar_save_code(const gdvar_save* save, size_t most, gdvar_code_use use,
                                   void* user, uint64_t* count, gdvar_error* error);

/* ---- files in a file ------------------------------------------------------------------------- */

enum gdvar_entry_flags {
    GDVAR_ENTRY_ENCRYPTED = 1,
    GDVAR_ENTRY_ABSENT = 2,  /* its content is not there: `entries` can't open it */
    GDVAR_ENTRY_OFFSET = 4,  /* `offset` is known */
    GDVAR_ENTRY_MD5 = 8,     /* `md5` is known */
    GDVAR_ENTRY_HOSTILE = 16 /* the name leads out of its folder, is an absolute path, or has
                                control or hidden characters: a program that writes files must not
                                use it */
};
/* A file of a pack (PCK) or of a browser's export. Valid during the call. */
typedef struct gdvar_entry {
    gdvar_text name; /* as it stands; empty if the export has none for it */
    uint64_t size;   /* of its content */
    uint64_t offset; /* where its bytes stand in the pack */
    uint8_t md5[16];
    const gdvar_text* notes; /* what is remarkable, in words: "removed by this patch". Static */
    size_t note_count;
    uint32_t flags; /* gdvar_entry_flags */
    uint32_t reserved;
} gdvar_entry;
typedef void (*gdvar_entry_use)(void* user, const gdvar_entry* entry);
/* Gives the files of a pack or of a browser's export, in their order: `entries` of the options
 * names one of them, "#2" the third. The archive may be in layers, or in another one (`entries`).
 * `description` ("format 3 of Godot 4.6.3, 6 files") may be NULL. `path` is a file's name, ended by
 * a NUL. Errors: not_recognised (no such archive), bad_key (its directory is encrypted),
 * bad_checksum, truncated, size_limit, io, ... From GDVAR_C_ABI 10 on. */
GDVAR_API uint16_t gdvar_list_entries(const char* path, const gdvar_save_options* options,
                                      gdvar_entry_use use, void* user, gdvar_buffer* description,
                                      gdvar_error* error);
/* The same for bytes. */
GDVAR_API uint16_t gdvar_read_entries(gdvar_bytes bytes, const gdvar_save_options* options,
                                      gdvar_entry_use use, void* user, gdvar_buffer* description,
                                      gdvar_error* error);

/* ---- values of saves ------------------------------------------------------------------------- */

/* One of the save's values: its name (settings only) and packet, valid until the save is changed.
 */
typedef struct gdvar_save_item {
    gdvar_text name;
    gdvar_bytes packet;
} gdvar_save_item;
GDVAR_API size_t gdvar_save_count(const gdvar_save* save);
GDVAR_API gdvar_save_item gdvar_save_at(const gdvar_save* save, size_t index);
/* Appends the packet of the value at `path` ("$.hp", "#0 $.players[3]", "application/config/name").
 */
GDVAR_API uint16_t gdvar_save_get(gdvar_save* save, gdvar_text path, gdvar_buffer* to,
                                  gdvar_error* error);
/* Gives every value that a path leads to, which may have `[*]`, `..` and the like, with its own
 * path in the save ("#0 $.players[3].hp"); `node` is GDVAR_NO_NODE. For several records, a path
 * without a number means all of them. `count`, if not NULL, receives how many were given. Errors:
 * as gdvar_save_get, if the path leads nowhere. From GDVAR_C_ABI 15 on. */
GDVAR_API uint16_t gdvar_save_find_each(gdvar_save* save, gdvar_text path, gdvar_match_use use,
                                        void* user, size_t* count, gdvar_error* error);

/* ---- where values stand in the bytes of a save ----------------------------------------------- */

/* The innermost layer's content, as it would be written now: `*content` is valid until the save is
 * changed. After a change it is written once, when it is first asked for. From GDVAR_C_ABI 11 on.
 */
GDVAR_API uint16_t gdvar_save_content(gdvar_save* save, gdvar_bytes* content, gdvar_error* error);
/* Where a value stands in that content. */
typedef struct gdvar_place {
    uint64_t begin, end; /* equal: not known (binary resources) */
    uint64_t key_begin,
        key_end; /* of a text: the key as it is written; equal: none, or not known */
} gdvar_place;
/* Where the value stands that begins at `offset` of the packet of value `index`; 0: the whole
 * value. In packets these are its bytes; in a text it is its own text, or that of the value that it
 * is written in (`Vector2(1, 2)`). Errors: index_out_of_range; those of gdvar_save_content. From
 * GDVAR_C_ABI 11 on. */
GDVAR_API uint16_t gdvar_save_place(gdvar_save* save, size_t index, uint64_t offset,
                                    gdvar_place* place, gdvar_error* error);
/* The owner of the byte at `at` of that content: the value `*index`, and a place in its packet
 * in the bytes of the innermost value there. Frames belong to their packets, keys to their values.
 * Errors: as gdvar_save_place. From GDVAR_C_ABI 11 on. */
GDVAR_API uint16_t gdvar_save_value_at(gdvar_save* save, uint64_t at, size_t* index,
                                       uint64_t* offset, gdvar_error* error);
/* Where the value at `path` stands in that content. A path to a part of a value (`$.pos.x`, an
 * element of a packed array) gives the place of the whole value. Errors: as gdvar_save_get and
 * gdvar_save_place. From GDVAR_C_ABI 11 on. */
GDVAR_API uint16_t gdvar_save_place_of(gdvar_save* save, gdvar_text path, gdvar_place* place,
                                       gdvar_error* error);
/* Appends the path of the innermost value to which the byte at `at` of that content belongs. Frames
 * belong to their records, keys to their values, headers to their sections; comments and spaces of
 * a text to what is around them. Errors: as gdvar_save_place. From GDVAR_C_ABI 11 on. */
GDVAR_API uint16_t gdvar_save_path_at(gdvar_save* save, uint64_t at, gdvar_buffer* to,
                                      gdvar_error* error);

/* ---- changing saves -------------------------------------------------------------------------- */

enum gdvar_set_flags {
    GDVAR_SET_TYPE = 1,  /* the value may get another type */
    GDVAR_SET_CREATE = 2 /* a key, property or setting that is not there may be added */
};
/* Puts the value of a packet, in the save's dialect, at `path`. It takes the type of the old one if
 * it fits. */
GDVAR_API uint16_t gdvar_save_set(gdvar_save* save, gdvar_text path, gdvar_bytes value,
                                  uint32_t flags, gdvar_error* error);
GDVAR_API uint16_t gdvar_save_erase(gdvar_save* save, gdvar_text path, gdvar_error* error);
/* The same at all values that a path leads to (`$.players[*].hp`), or none: gdvar_save_explain then
 * names the first that is refused. A value inside of another one that is changed goes with that
 * one. For several records a path names one ("#2"), or all ("#*"). GDVAR_SET_CREATE has no effect.
 * `count`, if not NULL, receives how many values were set or removed; 0 is no error where `[*]` or
 * `..` find nothing. From GDVAR_C_ABI 15 on. */
GDVAR_API uint16_t gdvar_save_set_all(gdvar_save* save, gdvar_text path, gdvar_bytes value,
                                      uint32_t flags, size_t* count, gdvar_error* error);
GDVAR_API uint16_t gdvar_save_erase_all(gdvar_save* save, gdvar_text path, size_t* count,
                                        gdvar_error* error);
/* The pair or property at `path` gets another key: the value of a packet in the save's dialect. */
GDVAR_API uint16_t gdvar_save_rename(gdvar_save* save, gdvar_text path, gdvar_bytes key,
                                     gdvar_error* error);
/* Records as a list: a packet, in the save's dialect, becomes a new record before record `number`
 * (gdvar_save_count is behind the last one; negative numbers count from the end). Other records
 * stay as they are. Errors: misplaced (the save is no row of records), index_out_of_range; those of
 * strict reading for the packet. */
GDVAR_API uint16_t gdvar_save_insert(gdvar_save* save, int64_t number, gdvar_bytes packet,
                                     gdvar_error* error);
/* The packet becomes the whole record, setting or only value of that number, as it is. */
GDVAR_API uint16_t gdvar_save_replace(gdvar_save* save, int64_t number, gdvar_bytes packet,
                                      gdvar_error* error);
/* The record or setting of that number goes. The only record stays (misplaced): a file without
 * records would not be recognised. */
GDVAR_API uint16_t gdvar_save_remove(gdvar_save* save, int64_t number, gdvar_error* error);
/* Why the last call that looked into the save or was to change it was refused. Returns its error's
 * code, or 0, without a call of `use`, which may be NULL, if it was not. */
GDVAR_API uint16_t gdvar_save_explain(gdvar_save* save, gdvar_refusal_use use, void* user);
GDVAR_API int gdvar_save_changed(const gdvar_save* save);
/* Keeps all changes from now on, so that they can be taken back. A second call has no effect.
 * `most_bytes`: memory for them; 0: 64 MiB. Beyond it the oldest are dropped; the newest one stays.
 * Each call that changes something is one change. From GDVAR_C_ABI 16 on. */
GDVAR_API uint16_t gdvar_save_keep_changes(gdvar_save* save, size_t most_bytes, gdvar_error* error);
/* Takes the last change back, or makes the last one that was taken back again: the save is then as
 * it was, to the last byte. A write that mends sums drops all changes. Time: linear in the values
 * that change. Errors: misplaced (there is no such change). From GDVAR_C_ABI 16 on. */
GDVAR_API uint16_t gdvar_save_undo(gdvar_save* save, gdvar_error* error);
GDVAR_API uint16_t gdvar_save_redo(gdvar_save* save, gdvar_error* error);
/* How many changes were made since gdvar_save_keep_changes, without those that were taken back
 * (dropped ones count); how many undo can take back; how many redo can make again. From GDVAR_C_ABI
 * 16 on. */
GDVAR_API size_t gdvar_save_change_count(const gdvar_save* save);
GDVAR_API size_t gdvar_save_undo_count(const gdvar_save* save);
GDVAR_API size_t gdvar_save_redo_count(const gdvar_save* save);
/* Appends the file's bytes as `write` would write them. */
GDVAR_API uint16_t gdvar_save_bytes(const gdvar_save* save, gdvar_buffer* to, gdvar_error* error);
/* Replaces the file atomically; a file without changes is not touched. The old file is kept under
 * the name `backup`; `backup` may be NULL. */
GDVAR_API uint16_t gdvar_save_write(gdvar_save* save, const char* backup, gdvar_error* error);

/* ---- sizes and checksums beside changes ------------------------------------------------------ */

/* A number or a text beside changed data that was a size or a checksum of it, as games store them:
 * where, what it was, how it stands there, and what it has to be (empty: that is not certain).
 * Texts are valid during the call. */
typedef struct gdvar_stale_sum {
    gdvar_text path; /* "#0 $.hash"; "byte 4" of what `skip` passes over */
    gdvar_text of;   /* "the MD5 of $.data" */
    gdvar_text was;
    gdvar_text now;
    gdvar_text text; /* all of it as a sentence */
    uint8_t mended;  /* 1: the bytes that were made have `now` */
    uint8_t reserved[7];
} gdvar_stale_sum;
typedef void (*gdvar_stale_sum_use)(void* user, const gdvar_stale_sum* sum);
/* Those that the last gdvar_save_bytes, gdvar_save_write or gdvar_save_convert of this save has
 * found. None before the first. From GDVAR_C_ABI 12 on. */
GDVAR_API void gdvar_save_stale_sums(const gdvar_save* save, gdvar_stale_sum_use use, void* user);
/* Whether these calls mend the sums of which it is certain what they have to be; 0 until it is
 * called. The values that the save gives stay as they are. From GDVAR_C_ABI 12 on. */
GDVAR_API void gdvar_save_update_sums(gdvar_save* save, int update);

/* ---- whole saves ----------------------------------------------------------------------------- */

/* Appends the changes that give `from` the values of `to`, as gdvar_diff does. Layers, dialects and
 * layouts are not compared. With several values, each path begins with the number of the record or
 * line, or with the setting's name. Errors: wrong_type (records against one value), duplicate_key
 * (a setting that stands twice). */
GDVAR_API uint16_t gdvar_save_diff(const gdvar_save* from, const gdvar_save* to,
                                   gdvar_buffer* patch, gdvar_error* error);
/* Makes the changes of a patch in the save: all, or after an error none. */
GDVAR_API uint16_t gdvar_save_patch(gdvar_save* save, gdvar_bytes patch, gdvar_error* error);
/* Appends the file's bytes for the engines of another dialect, changes included; the save stays.
 * A save that gdvar_save_check refuses is refused. A text keeps its comments and layout. `layers`:
 * those to write, as in gdvar_wrap; without data (NULL): the save's own, of which encryption
 * becomes that of the dialect's engines. `losses` may be NULL. `path`, if not NULL, receives the
 * place of a value that was refused. */
GDVAR_API uint16_t gdvar_save_convert(const gdvar_save* save, const gdvar_dialect* dialect,
                                      gdvar_text layers, gdvar_buffer* to, gdvar_loss_use losses,
                                      void* user, gdvar_error* error, gdvar_buffer* path);
/* Appends a new document of a kind ("records", "config", "json-lines"), made of packets in the
 * dialect (NULL: godot-4.4). Names are for settings. `path`, if not NULL, receives the place of a
 * value that was refused. Errors: bad_mode (no such kind), trailing_bytes (several values for a
 * kind that has one), unsupported_type (a kind that is only changed or read), not_in_dialect,
 * too_large. */
GDVAR_API uint16_t gdvar_make_document(gdvar_text kind, const gdvar_save_item* items, size_t count,
                                       const gdvar_dialect* dialect, gdvar_buffer* to,
                                       gdvar_error* error, gdvar_buffer* path);

/* ---- layers ---------------------------------------------------------------------------------- */

/* Puts bytes into layers, or takes them out: "gcpf-zstd", "gdec-4", "base64", with spaces between
 * several, the outermost first. `password` and `key` as in gdvar_save_options. */
GDVAR_API uint16_t gdvar_wrap(gdvar_bytes inner, gdvar_text layers,
                              const gdvar_save_options* options, gdvar_buffer* to,
                              gdvar_error* error);
/* `layers`, if not NULL, receives their names. Bytes in no layer are given as they are. */
GDVAR_API uint16_t gdvar_unwrap(gdvar_bytes outer, const gdvar_save_options* options,
                                gdvar_buffer* to, gdvar_buffer* layers, gdvar_error* error);

/* ---- damaged saves --------------------------------------------------------------------------- */

/* The readable part of a save, sound or damaged, as a sound one (docs/recover.md). */
typedef struct gdvar_recovery gdvar_recovery;
/* The bytes are copied. Options that count: the password, key or keys, the dialect, `as`, `inside`,
 * `skip`, `max_bytes`, `max_text`, GDVAR_NO_INSIDE, GDVAR_NO_PARTIAL, GDVAR_WIDE_PAGE. On success
 * `*recovery` is the caller's to free. Errors: not_recognised and bad_checksum (nothing readable
 * was found: perhaps the key is wrong), bad_key, truncated (`skip`), size_limit, depth_limit; those
 * of the layers. */
GDVAR_API uint16_t gdvar_recover(gdvar_bytes bytes, const gdvar_save_options* options,
                                 gdvar_recovery** recovery, gdvar_error* error);
GDVAR_API void gdvar_recovery_free(gdvar_recovery* recovery);
/* 1: the save was sound; all of it is there. */
GDVAR_API int gdvar_recovery_sound(const gdvar_recovery* recovery);
GDVAR_API gdvar_kind gdvar_recovery_kind(const gdvar_recovery* recovery);
/* `certain`, if not NULL: whether it was given, or is the only one that fits. */
GDVAR_API const gdvar_dialect* gdvar_recovery_dialect(const gdvar_recovery* recovery, int* certain);
/* Appends the names of the layers, as gdvar_save_layers; the stack, as gdvar_save_stack. */
GDVAR_API uint16_t gdvar_recovery_layers(const gdvar_recovery* recovery, gdvar_buffer* to,
                                         gdvar_error* error);
GDVAR_API uint16_t gdvar_recovery_stack(const gdvar_recovery* recovery, gdvar_buffer* to,
                                        gdvar_error* error);

/* How much of a value there is. */
enum gdvar_recovered_state {
    GDVAR_WHOLE,
    GDVAR_RESIZED, /* whole, but the length before it was wrong */
    GDVAR_PARTIAL  /* up to a break */
};
/* A value that was recovered. Borrowed from the recovery. */
typedef struct gdvar_recovered {
    gdvar_text name;     /* settings only */
    gdvar_bytes packet;  /* sound */
    uint64_t offset;     /* where it was read, in what the innermost layer holds */
    gdvar_text break_at; /* GDVAR_PARTIAL: the path of the break, "$.players[3]" */
    gdvar_error broken;  /* GDVAR_PARTIAL: why; its offset is in the packet as it was read */
    uint8_t state;       /* gdvar_recovered_state */
    uint8_t found_again; /* 1: behind a break, by its content; its old number is not known */
    uint8_t doubtful;    /* 1: from bytes that may be wrong, as a checksum shows */
    uint8_t reserved[5];
    uint64_t line; /* of a text: where the break is; else 0 */
} gdvar_recovered;
GDVAR_API size_t gdvar_recovery_count(const gdvar_recovery* recovery);
/* An empty packet for an index that is no value's. */
GDVAR_API gdvar_recovered gdvar_recovery_at(const gdvar_recovery* recovery, size_t index);

/* The innermost layer's content, as far as it could be read; lost bytes are zeros. Borrowed
 * from the recovery. From GDVAR_C_ABI 11 on. */
GDVAR_API gdvar_bytes gdvar_recovery_content(const gdvar_recovery* recovery);

/* Bytes that give no value, or that may be wrong. Borrowed from the recovery. */
typedef struct gdvar_lost {
    uint64_t begin, end; /* in the content of the layer, or of the innermost one */
    uint32_t layer;      /* whose content it is; GDVAR_NO_LAYER: what the innermost one holds */
    uint16_t code;
    uint8_t doubtful; /* 1: the bytes are there, and some of them are wrong */
    uint8_t reserved;
    gdvar_text reason;
    gdvar_text at; /* of a text: the path of what is lost; may be empty */
    uint64_t line; /* of a text: in which it begins; else 0 */
} gdvar_lost;
/* The layers' first, the outermost first. */
GDVAR_API size_t gdvar_recovery_lost_count(const gdvar_recovery* recovery);
GDVAR_API gdvar_lost gdvar_recovery_lost_at(const gdvar_recovery* recovery, size_t index);
/* Other faults, in words; empty from the last on. */
GDVAR_API gdvar_text gdvar_recovery_note_at(const gdvar_recovery* recovery, size_t index);
/* Appends a sound save of the values. `layers` as in gdvar_save_convert. The password or key of
 * `options`, which may be NULL, is for encrypting layers. A layer that one of `keys` opened keeps
 * it; one that the password or key opened needs it again (bad_key). */
GDVAR_API uint16_t gdvar_recovery_write(const gdvar_recovery* recovery, gdvar_text layers,
                                        const gdvar_save_options* options, gdvar_buffer* to,
                                        gdvar_error* error);

/* ---- streams --------------------------------------------------------------------------------- */

/* Cuts what arrives on a stream into the packets that StreamPeer.put_var and PacketPeerStream put
 * behind a u32 length. */
typedef struct gdvar_framer gdvar_framer;
/* `big_endian`: the stream's big_endian (PacketPeerStream: 0). NULL: out of memory. */
GDVAR_API gdvar_framer* gdvar_framer_new(int big_endian, uint64_t max_packet);
GDVAR_API void gdvar_framer_free(gdvar_framer* framer);
GDVAR_API uint16_t gdvar_framer_feed(gdvar_framer* framer, gdvar_bytes bytes, gdvar_error* error);
/* The next packet, valid until the framer is next used; `*there` says whether there is one. */
GDVAR_API uint16_t gdvar_framer_next(gdvar_framer* framer, gdvar_bytes* packet, int* there,
                                     gdvar_error* error);
/* At least so many bytes must come before there is a packet; 0: ask gdvar_framer_next. */
GDVAR_API uint64_t gdvar_framer_need(const gdvar_framer* framer);
/* When the stream has ended. Errors: truncated, with `need`, in the middle of a packet. */
GDVAR_API uint16_t gdvar_framer_finish(const gdvar_framer* framer, gdvar_error* error);
/* Appends the packet behind its length. Errors: too_large. */
GDVAR_API uint16_t gdvar_append_frame(gdvar_bytes packet, int big_endian, gdvar_buffer* to,
                                      gdvar_error* error);

#ifdef __cplusplus
}
#endif

#endif
