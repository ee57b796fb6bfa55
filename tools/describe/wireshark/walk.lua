-- ---- the walk -----------------------------------------------------------------------------------

-- A frame is an open container: kind, left (values to come), name, text, item, label, at, index.

-- The item that the next value of a container hangs on, and what stands before its text.
local function place(w, frame)
    frame.index = frame.index + 1
    if frame.kind == "array" then
        return frame.item, format("[%d] ", frame.index - 1)
    elseif frame.kind == "object" then
        local text, at, n = record(w, "property name")
        frame.pair = add(w, frame.item, f.property, at, n, text)
        frame.pair_at = at
        return frame.pair, ""
    elseif frame.kind == "dictionary" then
        if frame.index % 2 == 1 then
            frame.pair_at = w.at
            frame.pair = add(w, frame.item, f.pair, w.at, math.min(4, w.stop - w.at))
        end
        return frame.pair, frame.index % 2 == 1 and "Key " or "Value "
    end
    return frame.item, ""
end

-- A value is complete: what the container around it says of it.
local function deliver(w, frame, text, result)
    if frame.results and #frame.results < 4 then
        frame.results[#frame.results + 1] = result
    end
    if not frame.pair then
        return
    end
    if frame.kind == "dictionary" and frame.index % 2 == 1 then
        frame.key = text
        add(w, frame.pair, f.key, frame.pair_at, w.at - frame.pair_at, result.text or text)
        return
    end
    frame.pair:set_len(w.at - frame.pair_at)
    if frame.kind == "dictionary" then
        frame.pair:set_text(frame.key .. ": " .. text)
    else
        frame.pair:append_text(": " .. text)
    end
end

-- Reads a header and what belongs to it. Returns text, result and, where values follow, a frame.
local function value(w, frame)
    local tree, label = place(w, frame)
    local at = w.at
    local header = word(w, "header")
    local id = header % w.dialect.mask
    local row = w.dialect.rows[id]
    local item
    if shown(w, tree) then
        item = tree:add(f.value, w.tvb(at, 4))
        item:set_text(label .. format("unknown type %.0f", id))
        w.item = item
        add(w, item, f.header, at, 4, header)
        add(w, item, f.type_id, at, 4, id)
    end
    if not row then
        fail(w, format("type id %.0f does not exist in %s", id, w.dialect.name), at)
    end
    add(w, item, f.type, at, 4, row.name)
    local flags = floor(header / 65536)
    if flags > 0 then
        add(w, item, f.flags, at, 4, flags)
    end
    if row.wide then
        add(w, item, f.wide, at, 4, bit(flags, 0))
    end
    if item and row.note then
        item:add_proto_expert_info(e.note, row.name .. ": " .. row.note)
    end
    local text, plain, inner = read[row.shape](w, row, item, row.flags and flags or 0)
    local name = inner and inner.name or row.name
    local whole = name .. (text == "" and "" or ": " .. text)
    if item then
        item:set_text(label .. whole)
        item:set_len(w.at - at)
    end
    local result = { type = row.name, shape = row.shape, value = plain, whole = whole, at = at, len = w.at - at }
    if row.shape == "string" or row.shape == "node_path" then
        result.text = plain
    end
    if inner and inner.left > 0 then
        inner.item, inner.at, inner.index, inner.whole, inner.result = item, at, 0, whole, result
        return whole, result, inner
    end
    return whole, result
end

local function enter(w, stack, frame, inner)
    if #stack >= MOST_NESTED then
        fail(w, format("nested deeper than %d", MOST_NESTED))
    end
    stack[#stack + 1] = frame
    if inner.item and #stack >= math.min(prefs.max_depth, MOST_SHOWN) then
        inner.item:add_proto_expert_info(e.hidden, "nested deeper than the preference \"Nesting shown\" says")
        inner.item:append_text(" (not shown)")
        inner.whole_item = inner.item
        inner.item = nil
    end
end

local function walk(w, stack)
    local frame = { kind = "root", left = 1, index = 0, item = w.root }
    stack.root = frame
    while true do
        while frame.left == 0 do
            if #stack == 0 then
                return frame.result
            end
            local item = frame.item or frame.whole_item
            if item then
                item:set_len(w.at - frame.at)
            end
            frame.result.len = w.at - frame.at
            local closed = frame
            frame = stack[#stack]
            stack[#stack] = nil
            deliver(w, frame, closed.whole, closed.result)
        end
        frame.left = frame.left - 1
        local text, result, inner = value(w, frame)
        if frame.kind == "root" then
            frame.result = result
        end
        if inner then
            enter(w, stack, frame, inner)
            inner.results = #stack == 1 and {} or nil
            result.results = inner.results
            frame = inner
        else
            deliver(w, frame, text, result)
        end
        stack.open = frame
    end
end

-- Dissects the packet in tvb from at to stop under root; returns its result, or nothing if it is broken.
local function packet(tvb, at, stop, root, cut)
    local w = { tvb = tvb, at = at, stop = stop, root = root, cut = cut, items = prefs.max_items }
    w.dialect = dialects[prefs.dialect] or dialects[1]
    root:add(f.dialect, w.dialect.name):set_generated()
    local stack = {}
    local fine, result = pcall(walk, w, stack)
    if fine then
        if w.at < stop then
            root:add(f.surplus, tvb(w.at, stop - w.at)):add_proto_expert_info(e.surplus)
        end
        return result
    end
    if getmetatable(result) ~= Malformed then
        error(result, 0)
    end
    local where = format("%s (at byte %d)", result.text, result.at - at);
    (w.item or root):add_proto_expert_info(cut and e.cut or e.malformed, where)
    return nil
end

-- The Info column's text for a value.
local function title(result, cut)
    if not result then
        return cut and "[Variant cut]" or "[Malformed Variant]"
    end
    local parts = {}
    for i, each in ipairs(result.results or {}) do
        parts[i] = each.whole
    end
    return result.whole .. (#parts > 0 and " [" .. table.concat(parts, "; ") .. "]" or "")
end

local function into_info(pinfo, text)
    pinfo.cols.info:append(text .. "  ")
end

