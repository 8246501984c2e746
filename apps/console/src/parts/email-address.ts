//! What an e-mail address looks like when it is whole.

export const EMAIL_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
