SELECT DISTINCT position, cell FROM figure_view JOIN chosen USING (campaign_id) ORDER BY position
