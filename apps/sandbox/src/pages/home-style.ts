//! Styles of the home page: cards in two columns, or in one on a phone.
import { BASE_STYLE } from './style.ts';

export const HOME_STYLE = `${BASE_STYLE}
body { font-size: 15px; padding: 20px 16px 48px; max-width: 1240px; margin: 0 auto; }
.top { display: flex; align-items: flex-start; gap: 16px; margin-bottom: 16px; }
.top h1 { font-size: 24px; line-height: 1.25; letter-spacing: -0.01em; }
.top p { color: var(--soft); }
.top .pulse {
  margin-left: auto; padding: 2px 12px; border-radius: 999px; font-size: 13px; font-weight: 600;
  white-space: nowrap; background: var(--good-wash); color: var(--good);
}
.top .pulse.gone { background: var(--bad-wash); color: var(--bad); }
.summary {
  display: grid; grid-template-columns: repeat(2, 1fr); gap: 1px; overflow: hidden;
  border: 1px solid var(--line); border-radius: 14px; background: var(--line);
}
.summary div { background: var(--card); padding: 12px 16px; }
.summary .wide { grid-column: 1 / -1; }
.summary dt { color: var(--soft); font-size: 13px; }
.summary dd { font-size: 20px; font-weight: 650; font-variant-numeric: tabular-nums; }
.summary small { display: block; font-size: 13px; font-weight: 400; color: var(--soft); }
main { display: grid; gap: 16px; margin-top: 16px; }
.column { display: grid; gap: 16px; align-content: start; min-width: 0; }
.card {
  min-width: 0; background: var(--card); border: 1px solid var(--line); border-radius: 14px;
  box-shadow: var(--shadow); padding: 16px;
}
h2 { font-size: 16px; margin-bottom: 8px; }
.hint { color: var(--soft); font-size: 14px; }
.list { max-height: 460px; overflow: auto; margin: 0 -16px; padding: 0 16px; }
.line {
  display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 4px 16px;
  padding: 10px 0; border-top: 1px solid var(--line);
}
.list .line:first-child { border-top: 0; }
.what { min-width: 0; }
.what b { display: block; font-weight: 600; font-size: 14px; overflow-wrap: anywhere; }
.what span { color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.side { display: flex; flex-direction: column; align-items: flex-end; gap: 4px; text-align: right;
  max-width: 170px; }
.side b { font-variant-numeric: tabular-nums; font-weight: 600; }
.actions { grid-column: 1 / -1; }
.pill {
  display: inline-block; padding: 1px 10px; border-radius: 999px; font-size: 12px;
  font-weight: 600; line-height: 20px; white-space: nowrap;
  background: var(--calm-wash); color: var(--calm);
}
.pill.good { background: var(--good-wash); color: var(--good); }
.pill.bad { background: var(--bad-wash); color: var(--bad); }
.pill.wait { background: var(--wait-wash); color: var(--wait); }
.pills { display: inline-flex; flex-wrap: wrap; gap: 4px; justify-content: flex-end; }
.milestones li {
  display: flex; justify-content: space-between; gap: 12px; padding: 4px 0; font-size: 13px;
}
.milestones li > span:first-child { color: var(--soft); min-width: 0; overflow-wrap: anywhere; }
abbr { text-decoration: none; font-family: var(--mono); font-size: 0.93em; }
.row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px; }
.row + .fields { margin-top: 12px; }
.fields { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-end; margin-top: 12px; }
.fields label {
  flex: 1 1 160px; display: grid; gap: 4px; font-size: 13px; color: var(--soft); min-width: 0;
}
.fields label.short { flex: 0 1 84px; }
.fields label.whole { flex: 1 1 100%; }
.fields input, .fields select {
  width: 100%; min-height: 44px; padding: 0 12px; border: 1px solid var(--line);
  border-radius: 10px; background: var(--paper); color: var(--ink); font-size: 16px;
}
.card > form, [data-live] > form { margin-top: 12px; }
button.danger { color: var(--bad); border-color: var(--bad); }
.note {
  position: fixed; left: 50%; bottom: 20px; transform: translateX(-50%); padding: 10px 18px;
  border-radius: 10px; background: var(--ink); color: var(--paper); max-width: 90vw;
  box-shadow: var(--shadow);
}
.note.bad { background: var(--bad); color: var(--card); }
.note[hidden] { display: none; }
@media (min-width: 720px) {
  .summary { grid-template-columns: 1.6fr 1.4fr repeat(4, 1fr); }
  .summary .wide { grid-column: auto; }
}
@media (min-width: 980px) { main { grid-template-columns: 1.25fr 1fr; } }
@media (pointer: fine) { button.small, .button.small { min-height: 32px; padding: 0 12px; } }
`;
