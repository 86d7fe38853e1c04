import type {
  Changgu,
  Invitation,
  InvitationList,
  InvitationRevoked,
  MemberList,
  MemberRemoved,
} from '@changgu/sdk';
import type { WritingCli } from '../../cli.ts';
import { notFound, usageError } from '../../cli-error.ts';
import { reads, writes } from '../../command.ts';
import { fieldsOf, type Shape } from '../../output/shape.ts';

type Role = MemberList['items'][number]['role'];

const MEMBER: Shape = {
  fields: fieldsOf<MemberList['items'][number]>()([
    'user_id',
    'email',
    'name',
    'role',
    'email_verified',
    'second_factor',
    'joined_at',
  ]),
  columns: ['user_id', 'email', 'name', 'role', 'second_factor'],
  id: 'user_id',
  whole: ['email'],
};

export const list = reads<[]>(MEMBER, async (cli) => {
  const client = await cli.client('console');
  const { items } = await client.members.list(cli.call);
  await cli.output.list(items, MEMBER);
  return undefined;
});

const INVITED: Shape = {
  fields: fieldsOf<Invitation>()([
    'invitation_id',
    'email',
    'role',
    'created_at',
    'expires_at',
    'link',
  ]),
  columns: ['email', 'role', 'expires_at', 'link'],
  id: 'invitation_id',
  keep: ['link'],
};

/** If the service sends no email, the link is part of the data, shown only once. */
export const invite = writes<[email: string, options: { readonly role: Role }]>(
  INVITED,
  async (cli, email, { role }) => {
    const client = await cli.client('console');
    const invitation = await client.members.invite({ email, role }, cli.call);
    await cli.output.item(invitation, INVITED);
    const { accounts } = cli.texts;
    await cli.notes.info(
      invitation.link === null ? accounts.invited(email) : accounts.handOverLink,
    );
    return undefined;
  },
);

const INVITATION: Shape = {
  fields: fieldsOf<InvitationList['items'][number]>()([
    'invitation_id',
    'email',
    'role',
    'created_at',
    'expires_at',
    'invited_by',
  ]),
  columns: ['invitation_id', 'email', 'role', 'expires_at'],
  id: 'invitation_id',
};

export const invitations = reads<[]>(INVITATION, async (cli) => {
  const client = await cli.client('console');
  const { items } = await client.members.listInvitations(cli.call);
  await cli.output.list(items, INVITATION);
  return undefined;
});

const REVOKED: Shape = {
  fields: fieldsOf<InvitationRevoked>()(['invitation_id', 'status']),
  columns: ['invitation_id', 'status'],
  id: 'invitation_id',
};

export const revokeInvitation = writes<[invitationId: string]>(
  REVOKED,
  async (cli, invitationId) => {
    const client = await cli.client('console');
    await cli.output.item(await client.members.revokeInvitation(invitationId, cli.call), REVOKED);
    return undefined;
  },
);

export const setRole = writes<[userId: string, role: Role]>(MEMBER, async (cli, userId, role) => {
  const id = userIdOf(cli, userId);
  const client = await cli.client('console');
  await cli.output.item(await client.members.setRole(id, { role }, cli.call), MEMBER);
  return undefined;
});

const REMOVED: Shape = {
  fields: fieldsOf<MemberRemoved>()(['user_id', 'status']),
  columns: ['user_id', 'status'],
  id: 'user_id',
};

export const remove = writes<[userId: string]>(REMOVED, async (cli, userId) => {
  const id = userIdOf(cli, userId);
  const client = await cli.client('console');
  await cli.confirm(async () => {
    const email = await emailOf(cli, client, id);
    return cli.texts.accounts.removeMemberAsk(email, userId);
  });
  await cli.output.item(await client.members.remove(id, cli.call), REMOVED);
  return undefined;
});

export const handOver = writes<[userId: string]>(MEMBER, async (cli, userId) => {
  const id = userIdOf(cli, userId);
  const client = await cli.client('console');
  await cli.confirm(async () => {
    const email = await emailOf(cli, client, id);
    return cli.texts.accounts.handOverAsk(email, userId);
  });
  await cli.output.item(await client.members.handOver(id, cli.call), MEMBER);
  return undefined;
});

/** Whom a question is about: a number says it to no one. @throws CliError when there is no such user */
async function emailOf(cli: WritingCli, { members }: Changgu, id: number): Promise<string> {
  const { items } = await members.list(cli.call);
  const member = items.find(({ userId }) => userId === id);
  if (!member) throw notFound(cli.texts.accounts.noUser(String(id)), 'changgu members list');
  return member.email;
}

function userIdOf({ texts }: WritingCli, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw usageError(texts.accounts.noUserId(text));
  return Number(text);
}
