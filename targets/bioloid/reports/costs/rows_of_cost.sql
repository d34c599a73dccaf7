SELECT row_name, column_name, count(*) AS n, sum(behaviour = 'Falls') AS falls, sum(behaviour = 'Finishes') AS finishes,
       decimal(median(energy_J), 1) AS energy, decimal(median(forward_m), 2) AS forward, decimal(max(error_rad), 2) AS error,
       decimal(max(temperature_C), 1) AS temperature
FROM cost GROUP BY position, column_name ORDER BY position, column_name
