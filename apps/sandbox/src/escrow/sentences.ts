//! Errors of the contract in the vendor's own words: the API returns them unchanged.

// biome-ignore format: a table is the one thing exempt from the line limit.
export const SENTENCES = {
  amountZero: 'Amount cannot be zero',
  feeTooHigh: 'The platform fee cannot exceed 99%',
  noMilestone: 'Escrow initialized without milestone',
  tooManyMilestones: 'Cannot define more than 50 milestones in an escrow',
  flagsMustBeFalse: 'All flags (approved, disputed, released) must be false in order to execute this function',
  alreadyInitialized: 'Escrow already initialized',
  notFound: 'Escrow not found',

  fundingZero: 'Amount cannot be equal to or less than zero',
  signerFunds: 'The signer has insufficient funds to fund the escrow.',
  mismatch: 'The provided escrow properties do not match the stored escrow',

  onlyServiceProvider: 'Only the service provider can change milestone status',
  milestoneIndex: 'Invalid milestone index',
  emptyStatus: 'The milestone status cannot be empty',
  onlyApprover: 'Only the approver can change milestone flag',
  alreadyApproved: 'You cannot approve a milestone that has already been approved previously',

  escrowReleased: 'The escrow funds have been released',
  escrowResolved: 'This escrow is already resolved',
  onlyReleaseSigner: 'Only the release signer can release the escrow earnings',
  escrowNotCompleted: 'The escrow must be completed to release earnings',
  escrowOpenedForDispute: 'Escrow has been opened for dispute resolution',
  balanceTooLow: 'The escrow balance must be equal to the amount of earnings defined for the escrow',

  milestoneReleased: 'This milestone is already released',
  milestoneResolved: 'This milestone is already resolved',
  onlyReleaseSignerMulti: 'Only the release signer can release the escrow funds',
  milestoneNotCompleted: 'The milestone must be completed to release funds',
  milestoneOpenedForDispute: 'Milestone has been opened for dispute resolution',

  escrowInDispute: 'Escrow already in dispute',
  milestoneInDispute: 'Milestone already in dispute',
  notAuthorizedToDispute: 'You are not authorized to change the dispute flag',
  resolverCannotDispute: 'The dispute resolver cannot dispute the escrow',
  resolverCannotDisputeMilestone: 'The dispute resolver cannot be the one to raise a dispute on a milestone',

  onlyDisputeResolver: 'Only the dispute resolver can execute this function',
  escrowNotInDispute: 'Escrow not in dispute',
  milestoneNotInDispute: 'Milestone not in dispute',
  shareNotPositive: 'None of the amounts to be transferred should be less or equal than 0',
  tooManyShares: 'Cannot define more than 50 distributions when resolving dispute',
  resolutionFunds: 'Insufficient funds for resolution',
  sumNotBalance: 'The sum of distributions must equal the current escrow balance when resolving an escrow dispute',
  nothingToShare: 'The total amount to be distributed cannot be equal to zero',
  milestoneExceeded: 'The total funds to resolve the dispute must not exceed the amount defined for this milestone',
  notProcessed: 'All milestones must be released or dispute-resolved before withdrawing remaining funds',

  onlyPlatform: 'Only the platform address should be able to execute this function',
  platformFixed: 'The platform address of the escrow cannot be changed',
  approvedCannotChange: "You can't change the escrow properties after the milestone is approved",
} as const;

export type Sentence = (typeof SENTENCES)[keyof typeof SENTENCES];
