-- A mistake on purpose: after a second its loop does not end.
function Control()
  while GetTime() > 1.5 do
  end
end
