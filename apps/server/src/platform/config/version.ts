//! The version in GET /config and in logs; a test compares it with package.json.
export const VERSION = '0.1.0';
