//! What the operations on top-ups are called.

export const CREATE_TOPUP = 'create-topup';
export const CANCEL_TOPUP = 'cancel-topup';
