-- The columns of the page's table: motions in which something was struck, or of which the paper says something.
SELECT class AS class_title FROM class WHERE class IN (SELECT class FROM asked_for) ORDER BY number
