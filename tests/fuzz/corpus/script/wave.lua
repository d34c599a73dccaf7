-- The robot lifts its right arm and waves with the elbow, faster or slower as the dice fall.
local shoulder, elbow = 1, 5
local period_s, began_s

function Initialize()
  SetAxisSpeedRef(shoulder, 2)
  SetAxisSpeedRef(elbow, 4)
  SetAxisPosRef(shoulder, math.rad(-80))
  period_s = 0.8 + 0.4 * math.random()
  began_s = GetTime() + 1.5
end

function Control()
  local t = GetTime() - began_s
  if t > 0 then
    SetAxisPosRef(elbow, 0.4 * math.sin(2 * math.pi * t / period_s))
  end
end
