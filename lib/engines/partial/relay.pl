# Starts an engine that reads a file over HTTP, and relays its connections out of the sandbox.
#
# The sandbox has no network except its own loopback interface. This program listens on a free loopback
# port, and forwards each connection to the UNIX socket of the file's server. Arguments that begin with
# http://127.0.0.1:9/ get that port. The engine replaces this process (exec); a child process relays.
# Written in Perl, which starts in a tenth of the time of Python: there is one start per call.
#
# Usage: relay.pl SOCKET COMMAND [ARGUMENT ...]

use strict;
use warnings;
use Errno qw(EAGAIN EINTR EWOULDBLOCK);
use Fcntl;
use Socket;

use constant CHUNK_BYTES => 65536;
use constant BUFFER_BYTES => 65536;

my ($path, $command, @arguments) = @ARGV;

socket(my $listener, AF_INET, SOCK_STREAM, 0) or die "socket: $!";
bind($listener, pack_sockaddr_in(0, INADDR_LOOPBACK)) or die "bind: $!";
listen($listener, 64) or die "listen: $!";
my ($port) = unpack_sockaddr_in(getsockname($listener));

# Only the engine has the pipe's other end, so the relay reads its end when the engine exits.
pipe(my $alive, my $held) or die "pipe: $!";
my $child = fork() // die "fork: $!";
if ($child != 0) {
    fcntl($held, F_SETFD, 0);
    s{^http://127\.0\.0\.1:9/}{http://127.0.0.1:$port/} for @arguments;
    exec { $command } $command, @arguments or exit 127;
}

close($held);
# Only the engine keeps its pipes open, so that they close when it exits.
open(STDIN, "<", "/dev/null");
open(STDOUT, ">", "/dev/null");
open(STDERR, ">", "/dev/null");
$SIG{PIPE} = "IGNORE";

# By file descriptor: the handle, the descriptor of the other side, and bytes that are to be written.
my (%handle, %other, %waiting, %ended);

sub set_nonblocking {
    my ($handle) = @_;
    fcntl($handle, F_SETFL, fcntl($handle, F_GETFL, 0) | O_NONBLOCK);
}

sub connect_engine {
    accept(my $engine, $listener) or return;
    # The kernel would hold megabytes of what the engine may never read, and the store has to send them.
    setsockopt($engine, SOL_SOCKET, SO_SNDBUF, BUFFER_BYTES);
    socket(my $server, AF_UNIX, SOCK_STREAM, 0) or return;
    connect($server, pack_sockaddr_un($path)) or return;
    my ($one, $two) = (fileno($engine), fileno($server));
    for my $pair ([$engine, $one, $two], [$server, $two, $one]) {
        my ($handle, $number, $peer) = @$pair;
        set_nonblocking($handle);
        ($handle{$number}, $other{$number}, $waiting{$number}, $ended{$number}) = ($handle, $peer, "", 0);
    }
}

sub disconnect {
    my ($one) = @_;
    my $two = $other{$one};
    for my $number ($one, $two) {
        close($handle{$number});
        delete $_->{$number} for \%handle, \%other, \%waiting, \%ended;
    }
}

sub is_temporary { return $! == EAGAIN || $! == EWOULDBLOCK || $! == EINTR }

# Reads from one side what the other side is to get. Nothing is read while that is not written.
sub receive {
    my ($number) = @_;
    my $count = sysread($handle{$number}, $waiting{ $other{$number} }, CHUNK_BYTES);
    return if !defined $count && is_temporary();
    return disconnect($number) if !defined $count;
    return if $count > 0;
    $ended{$number} = 1;
    disconnect($number) if $waiting{ $other{$number} } eq "";
}

sub send_waiting {
    my ($number) = @_;
    my $count = syswrite($handle{$number}, $waiting{$number});
    return if !defined $count && is_temporary();
    return disconnect($number) if !defined $count;
    substr($waiting{$number}, 0, $count, "");
    disconnect($number) if $waiting{$number} eq "" && $ended{ $other{$number} };
}

while (1) {
    my ($read, $write) = ("", "");
    vec($read, fileno($_), 1) = 1 for $listener, $alive;
    for my $number (keys %handle) {
        if ($waiting{$number} ne "") { vec($write, $number, 1) = 1 }
        elsif (!$ended{ $other{$number} }) { vec($read, $other{$number}, 1) = 1 }
    }
    next if select($read, $write, undef, undef) < 0;
    exit 0 if vec($read, fileno($alive), 1);
    for my $number (keys %handle) {
        receive($number) if exists $handle{$number} && vec($read, $number, 1);
        send_waiting($number) if exists $handle{$number} && vec($write, $number, 1);
    }
    connect_engine() if vec($read, fileno($listener), 1);
}
