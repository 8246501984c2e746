//! The life cycle of an operator: invited, enrolled by the person, activated by another admin.
import { INVITATION_HOURS } from '#limits';
import { defineMachine, type MoveOf, type StateOf } from '#machine';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const operatorMachine = defineMachine({
  name: 'operator',
  initial: 'INVITED',
  inFlight: [],
  states: {
    INVITED:  `Has no credentials. The person sets a password and two-factor authentication with the link of the invitation, within ${INVITATION_HOURS} hours.`,
    ENROLLED: 'The person has set the credentials. A platform admin has to activate the operator with the confirmation code.',
    ACTIVE:   'Can sign in.',
    DISABLED: 'Cannot sign in; all sessions have ended.',
  },
  moves: {
    enroll:   { from: ['INVITED'],  to: 'ENROLLED', emits: [], description: 'By the person, with the link. The link works once.' },
    activate: { from: ['ENROLLED'], to: 'ACTIVE',   emits: [], description: 'By a platform admin other than the one who invited, with the confirmation code of the person.' },
    void:     { from: ['ENROLLED'], to: 'INVITED',  emits: [], description: 'After too many wrong confirmation codes: the credentials are deleted, and a reset creates a new link.' },
    disable:  { from: ['INVITED', 'ENROLLED', 'ACTIVE'], to: 'DISABLED', emits: [], description: 'Credentials that were never activated are deleted.' },
    enable:   { from: ['DISABLED'], to: 'ACTIVE',   emits: [], description: 'Only with credentials that were activated before; otherwise a reset is needed.' },
    reset:    { from: ['INVITED', 'ENROLLED', 'ACTIVE', 'DISABLED'], to: 'INVITED', emits: [], description: 'The credentials are deleted, and a new link replaces the one before.' },
  },
});

export type OperatorState = StateOf<typeof operatorMachine>;
export type OperatorMove = MoveOf<typeof operatorMachine>;
