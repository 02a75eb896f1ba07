# Starts processes for its parent. A process that starts another one is copied first: of a runner with 400 MB, the
# kernel copies the page tables for 20 ms, and its main thread waits. This process has 6 MB.
#
# Usage: fork-server.pl SOCKET
#
#   SOCKET   the UNIX socket on which the parent listens for the standard streams of the processes
#
# A request on stdin is its length in bytes (32 bits, big-endian), then a list of values, each after its length:
#
#   ID KEY FOLDER SOCKETS FILTER N GROUP*N N VARIABLE*N COMMAND ARGUMENT...
#
#   ID       a number for the replies
#   KEY      16 bytes that every connection begins with, followed by ID and the number of the descriptor
#   SOCKETS  how many descriptors from 0 on are connections to the parent
#   FILTER   if not empty, the content of a pipe, which is the descriptor after them
#   GROUP    a file of a control group, which the process joins by writing to it
#
# Replies on stdout are lines: "started ID PID", then "exited ID STATUS" with the status of waitpid(2), or
# "failed ID REASON". A command that does not exist exits with 127, one that cannot be executed with 126, and
# a process that cannot join its groups with 125.
#
# In Perl, which every Debian has. The processes end with this one, which ends with its parent.

use strict;
use warnings;
use Errno qw(EINTR ENOENT);
use Fcntl qw(F_DUPFD F_SETFD FD_CLOEXEC);
use POSIX qw(:sys_wait_h);
use Socket qw(AF_UNIX SOCK_STREAM pack_sockaddr_un);

my $address = pack_sockaddr_un($ARGV[0]);

# Above the descriptors of any process that is started here.
my $first_own = 100;

# The numbers of the requests whose processes run, by process id.
my %running;

# The process id of this process, and the number of prctl(2), with which a process asks the kernel to end it with its
# parent. Without it, on other systems, it outlives a parent that is killed.
my $own = $$;
my %prctl = (x86_64 => 157, aarch64 => 167);
my $prctl = $^O eq "linux" ? $prctl{(POSIX::uname())[4]} : undef;

sub reply { syswrite(STDOUT, join(" ", @_) . "\n") // end() }

# Ends all processes and this one.
sub end {
    kill("KILL", -$_) for keys %running;
    exit;
}

# Reads `length` bytes from a handle; undefined at its end.
sub read_exactly {
    my ($handle, $length) = @_;
    my $bytes = "";
    while (length($bytes) < $length) {
        my $count = sysread($handle, $bytes, $length - length($bytes), length($bytes));
        next if !defined($count) && $! == EINTR;
        return undef if !$count;
    }
    return $bytes;
}

# The handles that become the descriptors of the process, from 0 on.
sub open_descriptors {
    my ($id, $key, $sockets, $filter) = @_;
    my @handles;
    for my $number (0 .. $sockets - 1) {
        socket(my $socket, AF_UNIX, SOCK_STREAM, 0) or return;
        connect($socket, $address) or return;
        syswrite($socket, $key . pack("NN", $id, $number)) or return;
        push @handles, $socket;
    }
    return @handles if $filter eq "";
    pipe(my $reader, my $writer) or return;
    syswrite($writer, $filter) or return;
    return (@handles, $reader);
}

sub start {
    my ($id, $key, $folder, $sockets, $filter, @rest) = @_;
    my @groups = splice(@rest, 0, shift(@rest));
    my @variables = splice(@rest, 0, shift(@rest));
    my @handles = open_descriptors($id, $key, $sockets, $filter) or return reply("failed", $id, $!);
    # Closed when the command is executed: then the process has a group of its own, by which it can be killed.
    pipe(my $executed, my $pending) or return reply("failed", $id, $!);
    my $pid = fork() // return reply("failed", $id, $!);
    execute(\@handles, $pending, $folder, \@groups, \@variables, \@rest) if $pid == 0;
    $running{$pid} = $id;
    close($pending);
    read_exactly($executed, 1);
    reply("started", $id, $pid);
}

# Becomes the command.
sub execute {
    my ($handles, $pending, $folder, $groups, $variables, $command) = @_;
    $SIG{$_} = "DEFAULT" for qw(CHLD PIPE);
    POSIX::setsid();
    # PR_SET_PDEATHSIG and SIGKILL. The parent may have ended before.
    syscall($prctl, 1, 9, 0, 0, 0) if defined($prctl);
    POSIX::_exit(125) if getppid() != $own;
    for my $file (@$groups) {
        open(my $group, ">", $file) or POSIX::_exit(125);
        syswrite($group, "0\n") or POSIX::_exit(125);
    }
    my $own = fcntl($pending, F_DUPFD, $first_own) or POSIX::_exit(126);
    open(my $kept, "<&=", $own) or POSIX::_exit(126);
    fcntl($kept, F_SETFD, FD_CLOEXEC) or POSIX::_exit(126);
    my @moved = map { fcntl($_, F_DUPFD, $first_own) || POSIX::_exit(126) } @$handles;
    for my $number (0 .. $#moved) {
        POSIX::dup2($moved[$number], $number) // POSIX::_exit(126);
        POSIX::close($moved[$number]);
    }
    chdir($folder) or POSIX::_exit(126);
    %ENV = map { split(/=/, $_, 2) } @$variables;
    no warnings "exec";
    exec { $command->[0] } @$command or POSIX::_exit($! == ENOENT ? 127 : 126);
}

# A pipe that wakes the loop below when a process has exited.
pipe(my $wakes, my $wake) or exit 1;
$wake->blocking(0);
$SIG{CHLD} = sub { local $!; syswrite($wake, "-") };
$SIG{PIPE} = "IGNORE";

while (1) {
    my $ready = "";
    vec($ready, $_, 1) = 1 for 0, fileno($wakes);
    next if select($ready, undef, undef, undef) < 0;
    if (vec($ready, fileno($wakes), 1)) {
        sysread($wakes, my $bytes, 1024);
        while ((my $pid = waitpid(-1, WNOHANG)) > 0) {
            my $id = delete($running{$pid});
            reply("exited", $id, $?) if defined($id);
        }
    }
    if (vec($ready, 0, 1)) {
        my $length = read_exactly(\*STDIN, 4) // end();
        start(unpack("(N/a*)*", read_exactly(\*STDIN, unpack("N", $length)) // end()));
    }
}
