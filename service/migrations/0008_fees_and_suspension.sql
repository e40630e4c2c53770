-- What the service takes of a payout besides the network's fee; who is suspended.

ALTER TABLE payouts ADD COLUMN service_fee {AMOUNT} NOT NULL DEFAULT '0';
ALTER TABLE organisations ADD COLUMN suspended BIGINT NOT NULL DEFAULT 0;
