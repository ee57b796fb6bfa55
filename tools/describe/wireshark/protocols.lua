-- ---- protocols ----------------------------------------------------------------------------------

local function start(pinfo, name)
    pinfo.cols.protocol = name
    pinfo.cols.info:clear()
end

local function one_packet(tvb, pinfo, root)
    start(pinfo, "GDVAR")
    local tree = root:add(datagram, tvb())
    if tvb:len() == 0 then
        return 0
    end
    local cut = tvb:len() < tvb:reported_len()
    into_info(pinfo, title(packet(tvb, 0, tvb:len(), tree, cut), cut))
    return tvb:len()
end

gdvar.dissector = one_packet
datagram.dissector = one_packet

-- A length that no message has: all the rest is left alone.
local function refuse(proto, tvb, at, n, pinfo, root)
    local tree = root:add(proto, tvb(at))
    tree:add(f.length, tvb(at, 4), n):add_proto_expert_info(e.length,
        format("a message of %.0f bytes is over the preference \"Longest message\"", n))
    into_info(pinfo, format("[Length %.0f refused]", n))
end

-- u32 length, packet, and so on; message(tvb, at, stop, tree, pinfo, cut) says what goes into Info.
local function messages(proto, tvb, pinfo, root, big_endian, message)
    local at, len = 0, tvb:len()
    local cut = len < tvb:reported_len()
    while at < len do
        local left = len - at
        local n = left >= 4 and (big_endian and tvb(at, 4):uint() or tvb(at, 4):le_uint())
        if n and n > prefs.max_length then
            refuse(proto, tvb, at, n, pinfo, root)
            break
        end
        if not n or n + 4 > left then
            if pinfo.can_desegment > 0 and not cut then
                pinfo.desegment_offset = at
                pinfo.desegment_len = n and n + 4 - left or DESEGMENT_ONE_MORE_SEGMENT
                break
            end
            local tree = root:add(proto, tvb(at))
            tree:add_proto_expert_info(e.cut, "the rest of this message is not here")
            if n then
                tree:add(f.length, tvb(at, 4), n)
                packet(tvb, at + 4, len, tree, true)
            end
            into_info(pinfo, "[Message cut]")
            break
        end
        local tree = root:add(proto, tvb(at, n + 4))
        tree:add(f.length, tvb(at, 4), n)
        into_info(pinfo, message(tvb, at + 4, at + 4 + n, tree, pinfo))
        at = at + 4 + n
    end
    pinfo.cols.info:fence()
    return len
end

function stream.dissector(tvb, pinfo, root)
    start(pinfo, "GDVAR")
    return messages(stream, tvb, pinfo, root, prefs.big_endian, function(data, at, stop, tree)
        return title(packet(data, at, stop, tree))
    end)
end

-- ---- the debugger -------------------------------------------------------------------------------

-- Godot 3 sends a message as a run of packets: String name, int argc, argc arguments. What a packet is
-- depends on those before it, so it is worked out once, in order, and kept by where the packet stands.
local runs, roles = {}, {}
local tcp_stream = Field.new("tcp.stream")

local function role_of(pinfo, tvb, at, stop, result)
    local number = tcp_stream()
    local place_key = format("%d/%d/%d", pinfo.number, tvb:offset() + at, stop - at)
    local known = roles[place_key]
    if known then
        return known
    end
    local key = format("%s/%d/%d", number and tostring(number) or "", pinfo.src_port, pinfo.dst_port)
    local run = runs[key] or {}
    local role
    if result and result.shape == "array" and not run.name then
        role = { kind = "message" }
    elseif not run.name then
        role = { kind = result and result.shape == "string" and "name" or "stray" }
        run = { name = role.kind == "name" and result.value or nil }
    elseif not run.left then
        local argc = result and result.shape == "integer" and result.value:tonumber()
        role = { kind = argc and "argc" or "stray", name = run.name }
        run = { name = argc and argc > 0 and run.name or nil, left = argc, all = argc }
    else
        role = { kind = "argument", name = run.name, index = run.all - run.left }
        run = { name = run.left > 1 and run.name or nil, left = run.left - 1, all = run.all }
    end
    runs[key] = run.name and run or nil
    roles[place_key] = role
    return role
end

local function generated(tree, field, tvb, of, what)
    tree:add(field, tvb(of.at, of.len), what):set_generated()
end

-- [name, thread, data] in Godot 4; [name, arguments...] to Godot 3.
local function whole_message(tvb, tree, result)
    local results = result.results or {}
    local first, second, third = results[1], results[2], results[3]
    if not first or first.shape ~= "string" then
        tree:add_proto_expert_info(e.sequence, "an Array that begins with no name")
        return title(result)
    end
    generated(tree, f.name, tvb, first, first.value)
    if second and third and second.shape == "integer" and third.shape == "array" and result.value == 3 then
        generated(tree, f.thread, tvb, second, second.value)
        generated(tree, f.argc, tvb, third, Int64.new(third.value))
        return format("%s (thread %s, %.0f values)", first.value, tostring(second.value), third.value)
    end
    generated(tree, f.argc, tvb, result, Int64.new(result.value - 1))
    return format("%s (%.0f values)", first.value, result.value - 1)
end

local function debugger_message(tvb, at, stop, tree, pinfo)
    local result = packet(tvb, at, stop, tree)
    local role = role_of(pinfo, tvb, at, stop, result)
    if not result then
        return title(result)
    end
    if role.kind == "message" then
        return whole_message(tvb, tree, result)
    elseif role.kind == "name" then
        generated(tree, f.name, tvb, result, result.value)
        return result.value
    elseif role.kind == "argc" then
        generated(tree, f.argument_of, tvb, result, role.name)
        generated(tree, f.argc, tvb, result, result.value)
        return format("(%s values of %s)", tostring(result.value), role.name)
    elseif role.kind == "argument" then
        generated(tree, f.argument_of, tvb, result, role.name)
        generated(tree, f.argument, tvb, result, role.index)
        return format("[%d] %s", role.index, title(result))
    end
    tree:add_proto_expert_info(e.sequence, "neither a name nor an Array where a message was to begin")
    return title(result)
end

function debugger.dissector(tvb, pinfo, root)
    start(pinfo, "GDVAR-DBG")
    return messages(debugger, tvb, pinfo, root, false, debugger_message)
end

function gdvar.init()
    runs, roles = {}, {}
end

-- ---- registration -------------------------------------------------------------------------------

local tcp, udp = DissectorTable.get("tcp.port"), DissectorTable.get("udp.port")
-- No "Decode As" there, and no such table in every version.
local there, websocket = pcall(DissectorTable.get, "ws.port")
local registered = {}
local function register(table_of, name, proto)
    local ports = prefs[name]
    if registered[name] == ports then
        return
    end
    if registered[name] and registered[name] ~= "" then
        table_of:remove(registered[name], proto)
    end
    if ports and ports ~= "" then
        table_of:add(ports, proto)
    end
    registered[name] = ports
end

local function register_all()
    register(tcp, "stream_ports", stream)
    register(udp, "datagram_ports", datagram)
    register(tcp, "debugger_ports", debugger)
    if there then
        register(websocket, "websocket_ports", datagram)
    end
end

tcp:add_for_decode_as(stream)
tcp:add_for_decode_as(debugger)
udp:add_for_decode_as(datagram)
gdvar.prefs_changed = register_all
register_all()
