SELECT process, name, due, missed, stalled_due, stalled_missed FROM deadline WHERE configuration = :number ORDER BY number
