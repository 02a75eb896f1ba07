-- How rare a value of the metadata is. PostgreSQL has no such statistics for the expression of a partial index, and
-- would expect every value in one of a hundred jobs.
CREATE STATISTICS "jobs_metadata_values" ON (("metadata"::jsonb)) FROM "jobs";
