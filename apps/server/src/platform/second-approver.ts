//! Thrown out of the transaction of a request that no operator may make alone. Not an error: the
//! approval gate stores the request for a second approver.
export class SecondApproverNeeded extends Error {}
