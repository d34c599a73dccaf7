-- What Ukemi's networks carry, for tshark and Wireshark:
--
--   tshark -X lua_script:doc/how-to/ethernet.lua -r TRIAL.pcapng
--
-- The way a frame has gone, told by its destination's address (ukemi); probes of links, EtherType
-- 0x88B7 (ukemi_probe); segments of GIOP messages, EtherType 0x88B6 (ukemi_giop), put together for
-- the dissector "giop". Seamless redundancy is HSR, which tshark knows.

local function is_ours(tvb, at)
    return tvb:reported_length_remaining(at) >= 6 and tvb:captured_len() >= at + 6
        and tvb(at, 4):uint() == 0x02554b00
end

-- ---- addresses ---------------------------------------------------------------------------------

local way = Proto("ukemi", "Ukemi network")
way.fields.to = ProtoField.uint8("ukemi.to", "To host")
way.fields.from = ProtoField.uint8("ukemi.from", "From host")
way.fields.turns = ProtoField.uint8("ukemi.turns", "Has turned round", base.DEC, nil, 0x0f)
way.fields.passes = ProtoField.uint8("ukemi.passes", "Has passed the hub", base.DEC, nil, 0xf0)
way.fields.stranger = ProtoField.bool("ukemi.stranger", "From or for nobody of the network")
local frame_type = Field.new("eth.type")

function way.dissector(tvb, pinfo, tree)
    if frame_type() == nil or tvb:captured_len() < 14 then
        return
    end
    local branch = tree:add(way, tvb(0, 12))
    local to, from = is_ours(tvb, 0), is_ours(tvb, 6)
    if to then
        branch:add(way.fields.to, tvb(4, 1))
        branch:add(way.fields.turns, tvb(5, 1))
        branch:add(way.fields.passes, tvb(5, 1))
    end
    if from then
        branch:add(way.fields.from, tvb(10, 1))
    end
    if not from or not (to or tvb(0, 1):uint() % 2 == 1) then
        branch:add(way.fields.stranger, tvb(0, 12), true)
    end
end
register_postdissector(way)

-- ---- probes ------------------------------------------------------------------------------------

local probe = Proto("ukemi_probe", "Ukemi probe of a link")
probe.fields.hears = ProtoField.bool("ukemi_probe.hears", "Its sender hears this link")

function probe.dissector(tvb, pinfo, tree)
    pinfo.cols.protocol = "UKEMI-PROBE"
    if tvb:captured_len() >= 1 then
        tree:add(probe, tvb()):add(probe.fields.hears, tvb(0, 1), tvb(0, 1):uint() ~= 0)
    end
    return tvb:captured_len()
end
DissectorTable.get("ethertype"):add(0x88b7, probe)

-- ---- segments of GIOP --------------------------------------------------------------------------

local HEAD_B, VERSION, COUNT_MAX = 12, 1, 64
local segment = Proto("ukemi_giop", "Ukemi segment of GIOP")
local f = segment.fields
f.version = ProtoField.uint8("ukemi_giop.version", "Version")
f.first = ProtoField.bool("ukemi_giop.first", "First", 8, nil, 0x01)
f.last = ProtoField.bool("ukemi_giop.last", "Last", 8, nil, 0x02)
f.to_client = ProtoField.bool("ukemi_giop.to_client", "To the client", 8, nil, 0x04)
f.connection = ProtoField.uint16("ukemi_giop.connection", "Connection")
f.message = ProtoField.uint32("ukemi_giop.message", "Message")
f.index = ProtoField.uint16("ukemi_giop.index", "Index")
f.count = ProtoField.uint16("ukemi_giop.count", "Of")
f.torn = ProtoField.bool("ukemi_giop.torn", "Segments are missing")

local cable = Field.new("frame.interface_id")
local pieces, whole = {}, {} -- of messages under way, by cable, sender and message; by frame number
function segment.init()
    pieces, whole = {}, {}
end

-- Remembers a segment; with the last one that is missing, the frame has the message.
local function assemble(tvb, pinfo)
    local index, count = tvb(8, 2):uint(), tvb(10, 2):uint()
    local key = table.concat({ tostring(cable() or ""), tostring(pinfo.dl_src), tostring(pinfo.dl_dst),
        math.floor(tvb(1, 1):uint() / 4), tvb(2, 2):uint(), tvb(4, 4):uint() }, "/")
    if count == 0 or count > COUNT_MAX or index >= count or tvb:captured_len() < tvb:reported_len() then
        return
    end
    pieces[key] = pieces[key] or {}
    pieces[key][index] = tvb(HEAD_B):bytes()
    local bytes = ByteArray.new()
    for i = 0, count - 1 do
        if pieces[key][i] == nil then
            return
        end
        bytes:append(pieces[key][i])
    end
    pieces[key], whole[pinfo.number] = nil, bytes
end

function segment.dissector(tvb, pinfo, tree)
    pinfo.cols.protocol = "UKEMI-GIOP"
    if tvb:captured_len() < HEAD_B or tvb(0, 1):uint() ~= VERSION then
        return 0
    end
    local branch = tree:add(segment, tvb(0, HEAD_B))
    branch:add(f.version, tvb(0, 1))
    branch:add(f.first, tvb(1, 1))
    branch:add(f.last, tvb(1, 1))
    branch:add(f.to_client, tvb(1, 1))
    branch:add(f.connection, tvb(2, 2))
    branch:add(f.message, tvb(4, 4))
    branch:add(f.index, tvb(8, 2))
    branch:add(f.count, tvb(10, 2))
    if not pinfo.visited then
        assemble(tvb, pinfo)
    end
    if whole[pinfo.number] then
        Dissector.get("giop"):call(whole[pinfo.number]:tvb("GIOP"), pinfo, tree)
    elseif math.floor(tvb(1, 1):uint() / 2) % 2 == 1 then
        branch:add(f.torn, tvb(8, 4), true)
    end
    return tvb:captured_len()
end
DissectorTable.get("ethertype"):add(0x88b6, segment)
