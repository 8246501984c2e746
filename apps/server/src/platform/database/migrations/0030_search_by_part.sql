-- A search finds a milestone, a note and a piece of evidence by their own ids. As in 0023, none of
-- these is led by the marketplace, so that no serializable transaction is led into them.
create index milestone_id_idx on milestone (id);
create index dispute_note_id_idx on dispute_note (id);
create index dispute_evidence_id_idx on dispute_evidence (id);
