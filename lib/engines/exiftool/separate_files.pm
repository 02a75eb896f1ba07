package separate_files;

# Keeps what one file changes in exiftool from the files after it. With `-stay_open`, exiftool reads all files in one
# process, and a file can change its tables of tags: it adds tags, and a tag with a value of the wrong type is binary
# data from then on, in every file.
#
# This process reads no file. A copy of it runs the commands for as long as they only read pictures and change no
# table. Then the copy ends, and the next one starts. What a copy had to load, this process loads, too.
#
# Usage: PERL5LIB=FOLDER PERL5OPT=-Mseparate_files exiftool -stay_open True -@ -

use strict;
use warnings;
use POSIX ();

# Formats whose readers keep nothing between files but the tables.
my $picture = qr/\.(?:gif|jpe?g|png|webp)$/i;

# The options of the command are in this table.
my $options = "Image::ExifTool::UserParam";

# The number of prctl(2), with which a copy asks the kernel to end it with this process.
my %prctl = (x86_64 => 157, aarch64 => 167);
my $prctl = $^O eq "linux" ? $prctl{(POSIX::uname())[4]} : undef;

my $is_copy = 0;

# Where the copy reports what it has loaded.
my $report;

# Whether the next command may run in the same copy, if the tables are as before.
my $only_reads;

# The files and tables that were loaded when the copy started, and the number of entries in the tables.
my (%files, %tables, $entries);

# Entries of a tag that make another value of the same bytes. exiftool adds others when it first needs them.
sub count_conversions {
    return exists($_[0]{Binary}) + exists($_[0]{PrintConv}) + exists($_[0]{RawConv}) + exists($_[0]{ValueConv});
}

sub count_entries {
    my $count = 0;
    for my $name (keys(%Image::ExifTool::allTables)) {
        next if $name eq $options;
        my $table = $Image::ExifTool::allTables{$name};
        $count += keys(%$table);
        for my $tag (values(%$table)) {
            my $kind = ref($tag);
            if ($kind eq "HASH") { $count += count_conversions($tag) }
            elsif ($kind eq "ARRAY") { $count += count_conversions($_) for grep { ref($_) eq "HASH" } @$tag }
        }
    }
    return $count;
}

sub remember {
    %files = map { $_ => 1 } keys(%INC);
    %tables = map { $_ => 1 } keys(%Image::ExifTool::allTables);
    $entries = count_entries();
}

sub is_unchanged {
    return keys(%INC) == keys(%files)
        && keys(%Image::ExifTool::allTables) == keys(%tables)
        && count_entries() == $entries;
}

# Ends the copy after a command, unless the next one may follow. Without the exit of Perl, which frees all memory first.
sub end_copy {
    return if $only_reads && is_unchanged();
    my @files = grep { !$files{$_} } keys(%INC);
    my @tables = grep { !$tables{$_} } keys(%Image::ExifTool::allTables);
    syswrite($report, join("\n", @files, @tables, ""));
    POSIX::_exit(0);
}

# Loads modules and tables by their names, from the disk. Those that a file has made are not there.
sub load {
    local $SIG{__WARN__} = sub { };
    # A writer (.pl) only compiles after its module, and Perl never compiles again what failed.
    my $rank = sub { $_[0] =~ /\.pl$/ ? 1 : 0 };
    for my $name (sort { $rank->($a) <=> $rank->($b) } @_) {
        next unless $name =~ m{^(?:\w+/)*\w+\.(?:pm|pl)$};
        eval { require $name } or delete($INC{$name});
    }
    for my $name (@_) {
        no strict "refs";
        eval { Image::ExifTool::GetTagTable($name) } if $name =~ /^Image(?:::\w+)+$/ && %$name;
    }
    # Every profile with curves makes them binary data, whichever type they have. That is no change then.
    my $profiles = $Image::ExifTool::allTables{"Image::ExifTool::ICC_Profile::Main"};
    for my $curve (qw(rTRC gTRC bTRC kTRC)) {
        my $tag = $profiles && $$profiles{$curve};
        $$tag{ValueConv} //= '\$val' if ref($tag) eq "HASH";
    }
}

# Starts the next copy whenever one has ended, and returns in each. If one failed, this process ends in the same way.
sub start_copies {
    my $own = $$;
    for (;;) {
        remember();
        pipe(my $reports, $report) || die("pipe: $!\n");
        my $process = fork() // die("fork: $!\n");
        if ($process == 0) {
            $is_copy = 1;
            # PR_SET_PDEATHSIG and SIGKILL. This process may have ended before.
            syscall($prctl, 1, 9, 0, 0, 0) if defined($prctl);
            POSIX::_exit(0) if getppid() != $own;
            return;
        }
        close($report);
        chomp(my @names = <$reports>);
        waitpid($process, 0);
        POSIX::_exit($? & 127 ? 128 + ($? & 127) : $? >> 8) if $?;
        load(@names);
    }
}

# After exiftool is compiled and before it runs: it calls this function for each command.
INIT {
    require Image::ExifTool;
    my $read_arguments = \&main::ReadStayOpen;
    no warnings "redefine";
    *main::ReadStayOpen = sub ($) {
        my ($arguments) = @_;
        $is_copy ? end_copy() : start_copies();
        $read_arguments->($arguments);
        $only_reads = !grep({ /^-.*=|^-o$/ } @$arguments) && grep({ $_ =~ $picture } @$arguments);
    };
}

1;
