-- By the sequence number that an envelope uses: the next one of its account builds on it.
create index concurrently envelope_sequence_idx on envelope (source, sequence);
