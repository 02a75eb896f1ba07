# Restricts this process with Landlock and a filter of system calls, then executes a command.
#
# Usage: launch.pl ARCHITECTURE FILTER PARENT ABI FAMILY SOCKET [KIND:PATH ...] -- COMMAND [ARGUMENT ...]
#
#   FILTER   the descriptor of a file with the program of classic BPF
#   PARENT   the process with which the command ends
#   ABI      the newest version of Landlock's interface to use
#   FAMILY   "none", or the family of the sockets with which the command may connect: "ipv4" or "unix"
#   SOCKET   the UNIX socket to which each of its connections leads, for every address
#   KIND     what the command may do under PATH, see %kinds; paths that do not exist are left out
#
# In Perl, which every Debian has and which starts in a few milliseconds: there is one start per engine.

use strict;
use warnings;

my ($architecture, $filter, $parent, $newest_abi, $family, $socket, @rest) = @ARGV;
my ($separator) = grep { $rest[$_] eq "--" } 0 .. $#rest;
my @paths = @rest[0 .. $separator - 1];
my ($command, @arguments) = @rest[$separator + 1 .. $#rest];

# Numbers of calls; those of Landlock and pidfd_open are the same everywhere.
my %calls = (
    x64 => {
        close => 3, sendmsg => 46, recvmsg => 47, capset => 126, prctl => 157, openat => 257,
        ppoll => 271, seccomp => 317,
    },
    arm64 => {
        close => 57, sendmsg => 211, recvmsg => 212, capset => 91, prctl => 167, openat => 56,
        ppoll => 73, seccomp => 277,
    },
);
my $call = $calls{$architecture} // fail("unknown architecture");
my ($create_ruleset, $add_rule, $restrict_self) = (444, 445, 446);
my $open_process = 434; # pidfd_open

sub fail {
    my ($what) = @_;
    syswrite(STDERR, "sandbox: $what: $!\n");
    exit 125;
}

# Calls `name` or a number. Fails if the kernel does.
sub call {
    my ($name, @values) = @_;
    my $result = syscall($call->{$name} // $name, @values);
    fail($name) if $result == -1;
    return $result;
}

# From linux/landlock.h.
my %rights = (
    execute => 1, write_file => 2, read_file => 4, read_dir => 8, remove_dir => 16,
    remove_file => 32, make_char => 64, make_dir => 128, make_reg => 256, make_sock => 512,
    make_fifo => 1024, make_block => 2048, make_sym => 4096, refer => 8192, truncate => 16384,
    ioctl_dev => 32768,
);

sub mask { my $bits = 0; $bits |= $rights{$_} for @_; return $bits }

# The rights that exist in each version, and those that a file can have.
my @versions = (0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff);
my $of_files = mask(qw(execute write_file read_file truncate ioctl_dev));

my @write = qw(read_file read_dir write_file truncate remove_file remove_dir make_reg make_dir refer);
my %kinds = (
    list => mask(qw(read_dir)),
    read => mask(qw(read_file read_dir)),
    run => mask(qw(read_file read_dir execute)),
    write => mask(@write),
    scratch => mask(@write, qw(make_sock make_fifo make_sym)),
    device => mask(qw(read_file read_dir write_file ioctl_dev)),
    bind => mask(qw(make_sock)),
);

# Forbids everything under every path except what `paths` allow, and TCP, foreign abstract sockets and
# signals to other processes, as far as the kernel knows them.
sub restrict_files {
    my $abi = call($create_ruleset, 0, 0, 1);
    $abi = $newest_abi if $abi > $newest_abi;
    my $handled = $versions[$abi > $#versions ? $#versions : $abi];
    my $attributes = pack("QQQ", $handled, $abi >= 4 ? 3 : 0, $abi >= 6 ? 3 : 0);
    my $ruleset = call($create_ruleset, $attributes, length($attributes), 0);
    for (@paths) {
        my ($kind, $path) = split(/:/, $_, 2);
        # O_PATH. Without O_CLOEXEC for /proc/self: its entry is valid only as long as it is in use.
        my $flags = 0x200000 | ($path eq "/proc/self" ? 0 : 0x80000);
        my $file = syscall($call->{openat}, -100, $path, $flags);
        next if $file == -1 && $! == 2; # ENOENT
        fail($path) if $file == -1;
        my $allowed = ($kinds{$kind} // fail($kind)) & $handled;
        $allowed &= $of_files if !-d $path;
        call($add_rule, $ruleset, 1, pack("Ql", $allowed, $file), 0);
        call("close", $file) if $path ne "/proc/self";
    }
    call($restrict_self, $ruleset, 0);
    call("close", $ruleset);
    return $abi;
}

# Before Linux 6.12, Landlock does not know signals: then a process may send them only to itself.
sub restrict_signals {
    my ($kill, $tgkill) = $architecture eq "x64" ? (62, 234) : (129, 131);
    my @instructions = (
        [0x20, 0, 0, 0], [0x15, 1, 0, $kill], [0x15, 0, 4, $tgkill],
        [0x20, 0, 0, 16], [0x15, 2, 0, 0], [0x15, 1, 0, $$], [0x06, 0, 0, 0x00050001],
        [0x06, 0, 0, 0x7fff0000],
    );
    install(join("", map { pack("SCCL", @$_) } @instructions), 0);
}

# Installs a filter (SECCOMP_SET_MODE_FILTER).
sub install {
    my ($program, $flags) = @_;
    return call("seccomp", 1, $flags, pack("Sx6P", length($program) / 8, $program));
}

# A message that carries a descriptor (SCM_RIGHTS); see unix(7).
sub message {
    my ($data, $control) = @_;
    my $vector = pack("PQ", $$data, length($$data));
    return (pack("QQPQPQQ", 0, 0, $vector, 1, $$control, length($$control), 0), $vector);
}

sub send_descriptor {
    my ($channel, $descriptor) = @_;
    my ($data, $control) = ("-", pack("QllLx4", 20, 1, 1, $descriptor));
    my ($message, $vector) = message(\$data, \$control);
    call("sendmsg", fileno($channel), $message, 0);
}

sub receive_descriptor {
    my ($channel) = @_;
    my ($data, $control) = (pack("x1"), pack("x24"));
    my ($message, $vector) = message(\$data, \$control);
    exit if call("recvmsg", fileno($channel), $message, 0) == 0;
    return unpack("x16L", $control);
}

# Whether a descriptor of a process has O_NONBLOCK.
sub is_nonblocking {
    my ($process, $number) = @_;
    open(my $info, "<", "/proc/$process/fdinfo/$number") or return 0;
    local $/;
    return <$info> =~ /^flags:\s*([0-7]+)$/m && oct($1) & 0x800;
}

# Answers each connect() of the command: its socket is replaced by one that is connected to `socket`.
# When the process of `first`, a pidfd, has ended, ends all others of the command, and itself: if the runner was
# killed, only the first process has got a signal. Landlock lets it send none to this process, not even at its end.
sub serve_connections {
    my ($first, $channel) = @_;
    # The command keeps the pipes; they must close when it ends.
    syscall($call->{close}, $_) for 0 .. $filter;
    open(my $listener, "+<&=", receive_descriptor($channel)) or exit 1;
    my ($receive, $answer, $add) = (0xc0502100, 0xc0182101, 0x40182103);
    while (1) {
        my $poll = pack("lsslss", $first, 1, 0, fileno($listener), 1, 0);
        next if syscall($call->{ppoll}, $poll, 2, 0, 0, 8) < 0;
        my ($has_ended, $answered) = (unpack("lsslss", $poll))[2, 5];
        kill("KILL", -getpgrp()) if $has_ended;
        exit if $has_ended || $answered != 1;
        my $request = pack("x256");
        ioctl($listener, $receive, $request) or next;
        my ($id, $process, $number) = unpack("QLx20Q", $request);
        my $error = 0;
        socket(my $server, 1, 1, 0) or exit 1;
        if (connect($server, pack("Sa108", 1, $socket))) {
            fcntl($server, 4, 0x802) if is_nonblocking($process, $number);
            ioctl($listener, $add, pack("QLLLL", $id, 1, fileno($server), $number, 0x80000)) or next;
        } else {
            $error = -111;
        }
        ioctl($listener, $answer, pack("QqlL", $id, 0, $error, 0));
    }
}

open(my $input, "<&=", $filter) or fail("filter");
local $/;
my $program = <$input>;

my $channel;
if ($family ne "none") {
    socketpair(my $here, my $there, 1, 1, 0) or fail("socketpair");
    my $first = call($open_process, $$, 0);
    my $child = fork() // fail("fork");
    if ($child == 0) {
        close($here);
        serve_connections($first, $there);
    }
    $channel = $here;
}
close($input);

# PR_SET_PDEATHSIG: the command ends with its runner, which may have ended already.
call("prctl", 1, 9, 0, 0, 0);
exit 125 if getppid() != $parent;
# No capabilities, even if the runner is root; and PR_SET_NO_NEW_PRIVS, which keeps it so.
call("capset", pack("LL", 0x20080522, 0), pack("x24"));
call("prctl", 38, 1, 0, 0, 0);
my $abi = restrict_files();
restrict_signals() if $abi < 6;
# SECCOMP_FILTER_FLAG_NEW_LISTENER
my $listener = install($program, $channel ? 8 : 0);
if ($channel) {
    send_descriptor($channel, $listener);
    call("close", $listener);
}
exec { $command } $command, @arguments or exit 127;
