-- What this page's queries share: the neck's motions from 3 to 4 s, a row per trial, in degrees and seconds. Energies are those of the paper's
-- section 4.5, with an arm of 0.00232 kg m^2; `paper_mJ` has its slip: the second piece starts with the last speed in place of the knee's.
CREATE TEMP TABLE planned AS
WITH t AS (
    SELECT told.trial_id, trial_view.scenario, told.column_name, max(iif(name = 'from_s', value, NULL)) AS t1, max(iif(name = 'to_s', value, NULL)) AS t2,
           max(iif(name = 'from_deg', value, NULL)) AS q1, max(iif(name = 'to_deg', value, NULL)) AS q2,
           max(iif(name = 'from_deg_s', value, NULL)) AS w1, max(iif(name = 'to_deg_s', value, NULL)) AS w2,
           max(iif(name = 'knee_s', value, NULL)) AS tm, max(iif(name = 'knee_deg_s', value, NULL)) AS wm,
           max(iif(name = 'after_J', value, NULL)) - max(iif(name = 'before_J', value, NULL)) AS battery_J
    FROM told JOIN trial_view ON trial_view.trial_id = told.trial_id GROUP BY told.trial_id
)
SELECT *, row_number() OVER (ORDER BY scenario, trial_id) AS number, (wm - w1) / (tm - t1) AS a1, (w2 - wm) / (t2 - tm) AS a2,
       1000 * 0.00232 * 0.000304617 * ((w2 * w2 - w1 * w1) / 2 + (wm - w2) * (wm - w2)) AS paper_mJ,
       (wm - w1) * (wm - w1) / (tm - t1) + (w2 - wm) * (w2 - wm) / (t2 - tm) AS copper
FROM t WHERE tm IS NOT NULL;

-- What Table 1 of the paper prints.
CREATE TEMP TABLE printed (scenario, tm, wm, a_max, paper_mJ, percent);
INSERT INTO printed VALUES ('155-neck-least-acceleration', '3.84', '32.39', '14.77', '0.1807', '2.26'),
    ('156-neck-least-velocity', '3.02', '24.21', '200.0', '0.2004', '13.41'), ('157-neck-least-energy', '3.6', '30', '16.67', '0.1767', '-');
