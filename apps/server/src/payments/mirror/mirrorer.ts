//! The dependencies of the mirror in a worker.
import type { Cashier } from '../../accounts/custody/send-payments.ts';
import type { ShareSettings } from './treasury-share.ts';

export type Mirrorer = Cashier & ShareSettings;
