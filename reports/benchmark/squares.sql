SELECT DISTINCT position, square FROM figure_view JOIN chosen USING (campaign_id) ORDER BY position
