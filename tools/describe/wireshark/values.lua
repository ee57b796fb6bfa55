-- ---- values of one piece ------------------------------------------------------------------------

-- Each takes the walk, the row, the value's item or nil, and the header's flags; returns the text that
-- stands for the value, and what a message may want of it. Containers return a frame as a third.
local read = {}

function read.nothing(_, row)
    return row.name == "Nil" and "null" or ""
end

function read.unsupported(w, row)
    fail(w, row.name .. " can't be sent in this dialect", w.at - 4)
end

function read.boolean(w, _, item)
    local at = w.at
    local value = word(w, "bool") ~= 0
    add(w, item, f.bool, at, 4, value)
    return value and "true" or "false", value
end

local function bytes_of(row, flags)
    return row.wide and bit(flags, 0) and row.wide or row.bytes
end

function read.integer(w, row, item, flags)
    local n, at = bytes_of(row, flags), w.at
    need(w, n, row.name)
    w.at = at + n
    local range = w.tvb(at, n)
    local value = n == 8 and range:le_int64() or Int64.new(range:le_int())
    add(w, item, f.int, at, n, value)
    return tostring(value), value
end

function read.real(w, row, item, flags)
    local n, at = bytes_of(row, flags), w.at
    need(w, n, row.name)
    w.at = at + n
    local value = w.tvb(at, n):le_float()
    add(w, item, f.float, at, n, value)
    return float_text(value, n == 8), value
end

function read.string(w, row, item)
    local text, at, n = record(w, row.name)
    add(w, item, f.string, at, n, text)
    return (row.string_name and "&" or "") .. quoted(text), text
end

-- A component as text, and its item if it is to have one.
local function component(w, kind, at, item)
    if kind == "f32" or kind == "f64" then
        local n = kind == "f64" and 8 or 4
        local value = w.tvb(at, n):le_float()
        add(w, item, f.component, at, n, value)
        return float_text(value, n == 8)
    end
    local n = kind == "i64" and 8 or 4
    local range = w.tvb(at, n)
    local value = n == 8 and range:le_int64() or Int64.new(range:le_int())
    add(w, item, f.component_int, at, n, value)
    return tostring(value)
end

local function component_kind(row, flags)
    local wide = row.wide and bit(flags, 0)
    return wide and "f64" or row.component, wide and row.wide or row.bytes
end

function read.math(w, row, item, flags)
    local kind, n = component_kind(row, flags)
    need(w, n, row.name)
    local at, step, parts = w.at, n / row.components, {}
    for i = 1, row.components do
        parts[i] = component(w, kind, at + (i - 1) * step, item)
    end
    w.at = at + n
    return "(" .. table.concat(parts, ", ") .. ")"
end

function read.node_path(w, row, item)
    local start = w.at
    local names = word(w, row.name)
    if names < 0x80000000 then
        if not w.dialect.path_text then
            fail(w, "NodePath in the old text form", start)
        end
        w.at = start
        local text, at, n = record(w, row.name)
        add(w, item, f.path, at, n, text)
        return "^" .. quoted(text), text
    end
    names = names - 0x80000000
    local subnames = word(w, row.name)
    local flags = word(w, row.name)
    -- Godot 2 has the property behind the subnames.
    local all = names + subnames + (bit(flags, 1) and 1 or 0)
    need(w, all * 4, format("NodePath of %.0f names", all))
    -- Shown text is cut, so no more than that is put together.
    local parts, size = {}, 0
    for i = 1, all do
        local text = record(w, row.name)
        if size < 4096 then
            local before = i > names and ":" or (i > 1 or bit(flags, 0)) and "/" or ""
            parts[#parts + 1] = before .. text
            size = size + #text + 1
        end
    end
    if all == 0 and bit(flags, 0) then
        parts[1] = "/"
    end
    local text = table.concat(parts)
    add(w, item, f.path, start, w.at - start, text)
    return "^" .. quoted(text), text
end

function read.rid(w, row, item)
    need(w, 8, row.name)
    local id = w.tvb(w.at, 8):le_uint64()
    add(w, item, f.rid, w.at, 8, id)
    w.at = w.at + 8
    return tostring(id), id
end

local function object_id(w, item)
    need(w, 8, "object id")
    local id = w.tvb(w.at, 8):le_int64()
    add(w, item, f.object_id, w.at, 8, id)
    w.at = w.at + 8
    return id
end

function read.signal(w, row, item)
    local text, at, n = record(w, row.name)
    add(w, item, f.signal, at, n, text)
    local id = object_id(w, item)
    return format("%s of object %s", quoted(text), tostring(id)), text
end

-- ---- packed arrays ------------------------------------------------------------------------------

local function packed_count(w, row, item, bytes)
    local at = w.at
    local count = word(w, row.name)
    add(w, item, f.count, at, 4, count)
    if count > 0x7FFFFFFF or count * bytes > 0x7FFFFFFF then
        fail(w, "impossible count", at)
    end
    need(w, count * bytes, format("%s of %.0f elements", row.name, count))
    return count
end

local function elements_text(count)
    return format("%.0f element%s", count, count == 1 and "" or "s")
end

local function more(w, item, count, most, at)
    if item and count > most and w.stop > at then
        local rest = add(w, item, f.element, at, w.stop - at, "")
        if rest then
            rest:set_text(format("… %.0f more", count - most))
        end
        return rest
    end
end

function read.packed(w, row, item, flags)
    local kind, n = component_kind(row, flags)
    local count = packed_count(w, row, item, n)
    local most, step = prefs.max_elements, n / row.components
    for i = 0, math.min(count, item and most or 0) - 1 do
        local at = w.at + i * n
        if row.components == 1 then
            component(w, kind, at, item)
        else
            local parts = {}
            for j = 1, row.components do
                parts[j] = component(w, kind, at + (j - 1) * step)
            end
            add(w, item, f.element, at, n, format("[%d] (%s)", i, table.concat(parts, ", ")))
        end
    end
    local rest = more(w, item, count, most, w.at + most * n)
    w.at = w.at + count * n
    if rest then
        rest:set_len(n * (count - most))
    end
    return elements_text(count)
end

-- The padding may be missing where nothing follows.
local function padded_bytes(w, item, n)
    if n > 0 then
        add(w, item, f.bytes, w.at, n)
    end
    w.at = w.at + n
    local padding = math.min(-n % 4, w.stop - w.at)
    if padding > 0 then
        add(w, item, f.padding, w.at, padding)
    end
    w.at = w.at + padding
end

function read.bytes(w, row, item)
    local count = packed_count(w, row, item, 1)
    padded_bytes(w, item, count)
    return elements_text(count)
end

function read.strings(w, row, item)
    local count = packed_count(w, row, item, 4)
    local most = prefs.max_elements
    local rest
    for i = 1, count do
        if i == most + 1 then
            rest = more(w, item, count, most, w.at)
        end
        local text, at, n = record(w, row.name)
        if i <= most then
            add(w, item, f.string, at, n, text)
        end
    end
    if rest then
        rest:set_text(format("… %.0f more", count - most))
    end
    return elements_text(count)
end

function read.image(w, row, item)
    local names = { "Format", "Mipmaps", "Width", "Height", "Bytes" }
    local values = {}
    for i, name in ipairs(names) do
        local at = w.at
        values[i] = word(w, row.name)
        local field = add(w, item, f.word, at, 4, values[i])
        if field then
            field:prepend_text(name .. ": ")
        end
    end
    if values[5] > 0x7FFFFFFF then
        fail(w, "impossible length", w.at - 4)
    end
    need(w, values[5], row.name)
    padded_bytes(w, item, values[5])
    return format("%.0f x %.0f, format %.0f", values[3], values[4], values[1])
end

local event_names = { [0] = "none", "key", "mouse motion", "mouse button", "joystick motion",
    "joystick button", "screen touch", "screen drag", "action" }
local event_words = { [0] = 0, 2, 0, 1, 2, 1, 1, 0, 0 }
function read.input_event(w, row, item)
    local names = { "Type", "Device", "Length" }
    local kind
    for i = 1, 3 do
        local at = w.at
        local value = word(w, row.name)
        kind = kind or value
        local field = add(w, item, f.word, at, 4, value)
        if field then
            field:prepend_text(names[i] .. ": ")
        end
    end
    for _ = 1, event_words[kind] or 0 do
        local at = w.at
        add(w, item, f.word, at, 4, word(w, row.name))
    end
    return event_names[kind] or format("event %.0f", kind)
end

-- ---- containers ---------------------------------------------------------------------------------

local function count_word(w, item, least)
    local at = w.at
    local count = word(w, "count")
    if count >= 0x80000000 then
        count = count - 0x80000000
        add(w, item, f.shared, at, 4, true)
    end
    add(w, item, f.count, at, 4, count)
    need(w, count * least, elements_text(count))
    return count
end

-- The type that a typed container's header announces: kind 1 a type id, 2 a class, 3 a script.
local function container_type(w, item, field, kind)
    if kind == 0 then
        return nil
    end
    if kind == 1 then
        local at = w.at
        local id = word(w, "element type")
        local row = w.dialect.rows[id]
        if not row then
            fail(w, format("element type %.0f does not exist", id), at)
        end
        add(w, item, field, at, 4, row.name)
        return row.name
    end
    local text, at, n = record(w, "element type")
    add(w, item, field, at, n, text)
    return text
end

local function typed(name, of)
    return name .. (of and "[" .. of .. "]" or "")
end

function read.array(w, row, item, flags)
    local of
    if row.flags then
        of = container_type(w, item, f.element_type, flags % 4)
    end
    local count = count_word(w, item, 4)
    return elements_text(count), count, { kind = "array", left = count, name = typed(row.name, of) }
end

function read.dictionary(w, row, item, flags)
    local of
    if row.flags then
        local key = container_type(w, item, f.key_type, flags % 4)
        local value = container_type(w, item, f.value_type, floor(flags / 4) % 4)
        of = (key or value) and (key or "Variant") .. ", " .. (value or "Variant")
    end
    local count = count_word(w, item, 8)
    local inner = { kind = "dictionary", left = count * 2, name = typed(row.name, of) }
    return elements_text(count), count, inner
end

-- Pandemonium's: element type, for objects in full their class as a whole StringName packet.
function read.typed_array(w, row, item, flags)
    local at = w.at
    local element = w.dialect.rows[word(w, row.name) % 0x80000000]
    local of = element and element.name or "?"
    add(w, item, f.element_type, at, 4, of)
    if element and element.object and not bit(flags, 0) then
        local header = w.at
        local name = w.dialect.rows[word(w, row.name) % w.dialect.mask]
        if not (name and name.string_name) then
            fail(w, "the class of the elements is no StringName", header)
        end
        local text, text_at, n = record(w, row.name)
        add(w, item, f.class, text_at, n, text)
        of = text ~= "" and text or of
    end
    local count = count_word(w, item, 4)
    return elements_text(count), count, { kind = "array", left = count, name = typed(row.name, of) }
end

function read.object(w, row, item, flags)
    if bit(flags, 0) then
        local id = object_id(w, item)
        return "id " .. tostring(id), id
    end
    local class, at, n = record(w, "class name")
    add(w, item, f.class, at, n, class)
    if n == 4 then
        return "null"
    end
    at = w.at
    local count = word(w, "property count")
    -- A negative count is none to the engines.
    count = count > 0x7FFFFFFF and 0 or count
    add(w, item, f.count, at, 4, count)
    need(w, count * 8, format("%.0f properties", count))
    local inner = { kind = "object", left = count, name = row.name .. " " .. quoted(class) }
    return format("%.0f properties", count), count, inner
end

