# Runs a command for which the kernel has no Landlock: its first call fails with ENOSYS, by a filter of
# system calls. Usage: without-landlock.pl COMMAND [ARGUMENT ...]
use strict;
use warnings;

my ($prctl, $seccomp) = `uname -m` =~ /^x86_64/ ? (157, 317) : (167, 277);
my $program = join "", map { pack("SCCL", @$_) }
    ([0x20, 0, 0, 0], [0x15, 0, 1, 444], [0x06, 0, 0, 0x00050026], [0x06, 0, 0, 0x7fff0000]);
syscall($prctl, 38, 1, 0, 0, 0) == 0 or die "prctl: $!";
syscall($seccomp, 1, 0, pack("Sx6P", 4, $program)) == 0 or die "seccomp: $!";
exec { $ARGV[0] } @ARGV or die "exec: $!";
