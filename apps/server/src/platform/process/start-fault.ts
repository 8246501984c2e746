//! Why a process cannot start, for the operator: printed without a stack.
export class StartFault extends Error {}
