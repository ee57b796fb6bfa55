-- ---- reading ------------------------------------------------------------------------------------

-- The deepest nesting that engines read.
local MOST_NESTED = 1024
-- Wireshark stops at 500 levels of tree, and a pair takes two.
local MOST_SHOWN = 200

-- A fault in the bytes travels up as a table of this kind; any other error is a bug.
local Malformed = {}
local function fail(w, text, at)
    error(setmetatable({ text = text, at = at or w.at }, Malformed), 0)
end

-- w, a walk: tvb, at, stop (bytes), dialect, items (how many may still be shown), root (item).
local function need(w, n, what)
    if n > w.stop - w.at then
        if w.cut then
            fail(w, "the capture ends here")
        end
        fail(w, format("%s needs %.0f bytes, %d are left", what, n, w.stop - w.at))
    end
end

local function word(w, what)
    need(w, 4, what)
    local value = w.tvb(w.at, 4):le_uint()
    w.at = w.at + 4
    return value
end

local function shown(w, tree)
    if not tree then
        return false
    end
    if w.items > 0 then
        w.items = w.items - 1
        return true
    end
    if not w.told then
        w.told = true
        w.root:add_proto_expert_info(e.hidden, "more values than the preference \"Items shown\" says")
    end
    return false
end

-- Adds a field of the bytes at, n; without a value Wireshark reads them itself, little-endian.
local function add(w, tree, field, at, n, value)
    if not shown(w, tree) then
        return nil
    end
    if value == nil then
        return tree:add_le(field, w.tvb(at, n))
    end
    return tree:add(field, w.tvb(at, n), value)
end

local function bit(number, position)
    return floor(number / 2 ^ position) % 2 == 1
end

-- ---- text ---------------------------------------------------------------------------------------

local function continues(text, from, to)
    for i = from, to do
        local byte = text:byte(i)
        if not byte or byte < 0x80 or byte > 0xBF then
            return false
        end
    end
    return true
end

-- Unicode's own rule: the length of the sequence at i, or nil.
local function strict_sequence(text, i, lead)
    local second = text:byte(i + 1) or 0
    if lead >= 0xC2 and lead <= 0xDF then
        return continues(text, i + 1, i + 1) and 2
    elseif lead >= 0xE0 and lead <= 0xEF then
        local low, high = lead == 0xE0 and 0xA0 or 0x80, lead == 0xED and 0x9F or 0xBF
        return second >= low and second <= high and continues(text, i + 2, i + 2) and 3
    elseif lead >= 0xF0 and lead <= 0xF4 then
        local low, high = lead == 0xF0 and 0x90 or 0x80, lead == 0xF4 and 0x8F or 0xBF
        return second >= low and second <= high and continues(text, i + 2, i + 3) and 4
    end
    return nil
end

-- Godot 3's rule: surrogates, values over U+10FFFF and forms of 5 and 6 bytes pass.
local function lenient_sequence(text, i, lead)
    if lead < 0xC2 or lead > 0xFD then
        return nil
    end
    local n = lead < 0xE0 and 2 or lead < 0xF0 and 3 or lead < 0xF8 and 4 or lead < 0xFC and 5 or 6
    if not continues(text, i + 1, i + n - 1) then
        return nil
    end
    local empty = lead % 2 ^ (7 - n) == 0 and text:byte(i + 1) == 0x80
    if n > 2 and empty and floor(text:byte(i + 2) % 128 / 2 ^ (7 - n)) == 0 then
        return nil
    end
    return n
end

local function valid_utf8(text, lenient)
    local sequence = lenient and lenient_sequence or strict_sequence
    local i = text:find("[\128-\255]")
    while i do
        local n = sequence(text, i, text:byte(i))
        if not n then
            return false
        end
        i = text:find("[\128-\255]", i + n)
    end
    return true
end

-- A counted string: length, UTF-8, padding. Its text ends at a NUL. Returns text, offset, bytes in all.
local function record(w, what)
    local at = w.at
    local n = word(w, what)
    if n > 0x7FFFFFFC then
        fail(w, what .. " has an impossible length", at)
    end
    local padded = floor((n + 3) / 4) * 4
    need(w, padded, what)
    local text = ""
    if n > 0 then
        local raw = w.tvb(w.at, n):raw()
        local nul = raw:find("\0", 1, true)
        local lenient = w.dialect.lenient
        if not valid_utf8(raw, lenient) and not (nul and valid_utf8(raw:sub(1, nul - 1), lenient)) then
            fail(w, what .. " is not UTF-8", at)
        end
        local size = nul and nul - 1 or n
        if size > 0 then
            -- Wireshark replaces what only Godot 3 takes for text.
            text = lenient and w.tvb(w.at, size):string(ENC_UTF_8) or raw:sub(1, size)
        end
    end
    w.at = w.at + padded
    return text, at, 4 + padded
end

local escapes = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\""] = "\\\"", ["\\"] = "\\\\" }
local function escaped(c)
    return escapes[c] or format("\\x%02x", c:byte())
end

-- For a label or the Info column: quoted, escaped, cut at 80 bytes.
local function quoted(text)
    if #text > 80 then
        local n = 80
        while n > 0 and continues(text, n + 1, n + 1) do
            n = n - 1
        end
        return '"' .. text:sub(1, n):gsub("[%c\"\\]", escaped) .. '"…'
    end
    return '"' .. text:gsub("[%c\"\\]", escaped) .. '"'
end

-- The shortest digits that say the same number.
local function float_text(value, wide)
    if value ~= value then
        return "nan"
    end
    for digits = wide and 15 or 6, wide and 16 or 8 do
        local text = format("%." .. digits .. "g", value)
        local back = tonumber(text)
        if back and (wide and back or Struct.unpack("<f", Struct.pack("<f", back))) == value then
            return text
        end
    end
    return format(wide and "%.17g" or "%.9g", value)
end

