import { describe, expect, it } from 'vitest';
import { safeAddress } from '#screens/dispute/safe-address.ts';

describe('an address in evidence', () => {
  it('may be followed on the web', () => {
    expect(safeAddress('https://files.example/a.png')).toBe('https://files.example/a.png');
  });

  it('is plain text when it could run code or mislead, or is no web address', () => {
    const wrong = [
      'javascript:alert(1)',
      ' jAvAsCrIpT:alert(1)',
      'data:text/html,<script>1</script>',
      'https://bank.example@evil.example/',
      '<img src=x onerror=alert(1)>',
      '/console/orders',
      'a parcel that never came',
    ];
    for (const text of wrong) expect(safeAddress(text), text).toBeUndefined();
  });
});
