//! The kinds of operations on top-ups.

export const CREATE_TOPUP = 'create-topup';
export const CANCEL_TOPUP = 'cancel-topup';
