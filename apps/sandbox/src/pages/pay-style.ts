//! Styles of the payment page: one card with the amount and the buttons.
import { BASE_STYLE } from './style.ts';

export const PAY_STYLE = `${BASE_STYLE}
body {
  min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
  align-items: center; padding: 24px 16px 32px;
}
.brand {
  width: 100%; max-width: 440px; display: flex; align-items: center; gap: 8px;
  color: var(--accent); font-weight: 700; margin: 0 0 16px;
}
.brand em {
  margin-left: auto; padding: 2px 10px; border-radius: 999px; background: var(--wait-wash);
  color: var(--wait); font-size: 13px; font-style: normal; font-weight: 600;
}
.card {
  width: 100%; max-width: 440px; background: var(--card); border: 1px solid var(--line);
  border-radius: 16px; box-shadow: var(--shadow); padding: 28px 24px 24px;
}
.label { color: var(--soft); font-weight: 600; overflow-wrap: anywhere; }
h1 {
  font-size: 40px; line-height: 1.2; letter-spacing: -0.02em; font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
h1 small { font-size: 16px; letter-spacing: 0; color: var(--soft); font-weight: 600; }
.what { margin-top: 4px; color: var(--soft); overflow-wrap: anywhere; }
.items { margin-top: 20px; border-top: 1px solid var(--line); }
.items li {
  display: flex; justify-content: space-between; gap: 16px; padding: 10px 0;
  border-bottom: 1px solid var(--line);
}
.items span { min-width: 0; overflow-wrap: anywhere; }
.items b { font-weight: 500; font-variant-numeric: tabular-nums; }
.items .total { border-bottom: 0; font-weight: 700; }
.items .total b { font-weight: 700; }
.facts { margin-top: 20px; padding: 12px 14px; border-radius: 10px; background: var(--paper); }
.facts dt { font-size: 13px; color: var(--soft); }
.facts dd { font-family: var(--mono); font-size: 13px; overflow-wrap: anywhere; }
.items + .facts { margin-top: 8px; }
.buttons { margin-top: 20px; display: grid; gap: 10px; }
.buttons button, .buttons .button { width: 100%; min-height: 52px; font-size: 17px; }
.after { margin-top: 14px; text-align: center; font-size: 14px; color: var(--soft);
  overflow-wrap: anywhere; }
.closed { text-align: center; }
.reason { margin-top: 16px; }
.closed h1 { font-size: 26px; margin-top: 12px; }
.closed .amount { margin-top: 4px; font-weight: 600; overflow-wrap: anywhere; }
.mark {
  width: 56px; height: 56px; margin: 0 auto; border-radius: 50%; display: grid;
  place-items: center; font-size: 28px; font-weight: 700; line-height: 1;
  background: var(--calm-wash); color: var(--calm);
}
.confirmed .mark { background: var(--good-wash); color: var(--good); }
.failed .mark { background: var(--bad-wash); color: var(--bad); }
footer { margin-top: 20px; font-size: 13px; color: var(--soft); text-align: center; }
@media (min-width: 600px) { body { padding-top: 56px; } .card { padding: 32px; } }
`;
