function Initialize() SetAxisSpeedRef(3, 2.5) print(string.format("%5.2f %s", 1, print), tostring({})) end
function Control()
  local t = {}
  for i = 1, 4 do table.insert(t, math.random(1, 6) + GetAxisPos(i) + GetAxisEnergy(i) + GetAxisTorque(i)) end
  SetAxisPosRef(3, math.min(2, table.unpack(t)) / 10)
  assert(select("#", table.concat(t, ",")) == 1)
end
