-- A search of customers ignores more than it did: what is left of case in small letters, and strokes. Who has such a letter in what
-- is looked through is taken in again, whether from before or written by an older server meanwhile; newer ones write none.
{SQLITE} UPDATE customers SET taken_in = NULL WHERE search GLOB '*[ßςłøđðþæœħŧı]*';
{SQLITE} CREATE TRIGGER customers_searched AFTER INSERT ON customers WHEN NEW.search GLOB '*[ßςłøđðþæœħŧı]*' BEGIN
{SQLITE}     UPDATE customers SET taken_in = NULL WHERE id = NEW.id;
{SQLITE} END;
{SQLITE} CREATE TRIGGER customers_searched_anew AFTER UPDATE OF search ON customers WHEN NEW.search GLOB '*[ßςłøđðþæœħŧı]*' BEGIN
{SQLITE}     UPDATE customers SET taken_in = NULL WHERE id = NEW.id;
{SQLITE} END;

{POSTGRES} UPDATE customers SET taken_in = NULL WHERE search ~ '[ßςłøđðþæœħŧı]';
{POSTGRES} CREATE FUNCTION customers_searched() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
{POSTGRES}     NEW.taken_in := NULL;
{POSTGRES}     RETURN NEW;
{POSTGRES} END $$;
{POSTGRES} CREATE TRIGGER customers_searched BEFORE INSERT OR UPDATE OF search ON customers FOR EACH ROW
{POSTGRES}     WHEN (NEW.search ~ '[ßςłøđðþæœħŧı]') EXECUTE FUNCTION customers_searched();
